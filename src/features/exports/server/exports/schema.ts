import type { Generated } from 'kysely';

import type {
  Cadence,
  ExportFormat,
  ExportRange,
  ExportState,
  ExportType,
  Manifest,
} from '#features/exports/contract/exports.ts';

type ExportsTable = {
  id: string;
  user_id: number;
  schedule_id: number | null;
  /** The scheduled time it was created for. */
  scheduled_for: string | null;
  /** Requested on the basic page. */
  basic: boolean;
  data_types: ExportType[];
  date_range: ExportRange;
  range_from: string | null;
  range_to: string;
  format: ExportFormat;
  include_metadata: boolean;
  compression: boolean;
  state: ExportState;
  /** Number of attempts: only the latest may finish it. */
  attempt: Generated<number>;
  /** By the database clock; silence means that its process is gone. */
  beat_at: string | null;
  rows_expected: Generated<number>;
  rows_done: Generated<number>;
  file_name: string | null;
  file_size: number | null;
  rows: number | null;
  sha256: string | null;
  manifest: Manifest | null;
  error: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  expires_at: string | null;
};

type ExportSchedulesTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  schedule: Cadence;
  data_types: ExportType[];
  date_range: Exclude<ExportRange, 'custom'>;
  format: ExportFormat;
  include_metadata: boolean;
  compression: boolean;
  email_notification: boolean;
  time_zone: string;
  hour: number;
  anchor: number;
  state: 'active' | 'paused' | 'cancelled';
  next_run_at: string | null;
  created_at: string;
};

type ExportRunsTable = {
  schedule_id: number;
  scheduled_for: string;
  /** Null once the export was deleted. */
  export_id: string | null;
  tries: Generated<number>;
  /** When a failed run is retried. */
  retry_at: string | null;
  /** When its end was settled, including the email if one is wanted. */
  told_at: string | null;
};

type ExportLooksTable = {
  user_id: number;
  name: string | null;
  logo: string | null;
  colour: string | null;
  updated_at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    exports: ExportsTable;
    export_schedules: ExportSchedulesTable;
    export_runs: ExportRunsTable;
    export_looks: ExportLooksTable;
  }
}

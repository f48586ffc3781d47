import type { Generated } from 'kysely';

import type { AttemptState, Format } from '#features/notifications/contract/webhooks.ts';

type WebhooksTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** Encrypted, as are the secrets. */
  url: string;
  host: string;
  format: Format;
  secret: string;
  old_secret: string | null;
  old_secret_until: string | null;
  enabled: boolean;
  created_at: string;
  last_at: string | null;
  last_state: AttemptState | null;
  last_note: string | null;
  /** Consecutive failures, and since when. */
  failures: Generated<number>;
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: string | null;
};

type WebhookAttemptsTable = {
  id: Generated<number>;
  webhook_id: number;
  /** Null for a test. */
  delivery_id: number | null;
  kind: string;
  at: string;
  state: AttemptState;
  status: number | null;
  ms: number;
  note: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_attempts: WebhookAttemptsTable;
  }
}

import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { TrackCell } from '#features/analysis/contract/predictions.ts';
import type { Ranges } from './scoring/ranges.ts';

interface PredictionLedgerTable {
  seq: number;
  recorded_at: string;
  kind: string;
  body: string;
  hash: string;
}

interface LedgerRootsTable {
  day: string;
  through_seq: number;
  hash: string;
  published_at: string;
}

interface PredictionsTable {
  seq: number;
  analysis_id: string;
  analyst: string;
  model: string;
  asset: string;
  horizon: string;
  issued_at: string;
  resolves_at: string;
  up: number;
  flat: number;
  down: number;
  imputed: boolean;
  price: number;
  band: number | null;
  /** up, flat, down */
  climatology: number[];
  persistence: number[];
  /** Log returns from `price`; null from an analyst without ranges. */
  ranges: JSONColumnType<Ranges> | null;
  trailing_ranges: JSONColumnType<Ranges> | null;
  outcome: string | null;
  /** open, graded or void */
  state: GeneratedAlways<string>;
  realised: number | null;
  outcome_seq: number | null;
  outcome_at: string | null;
  /** The forecaster; null for the product's own analysts. */
  forecaster_id: GeneratedAlways<number | null>;
}

interface LeagueForecastersTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  joined_at: string;
}

interface LeagueRecordsTable {
  forecaster_id: number;
  horizon: string;
  through_seq: number;
  scored_at: string;
  n_eff: number;
  p_ahead: number | null;
  p_behind: number | null;
  cell: JSONColumnType<TrackCell>;
  shared: number | null;
  gain: number | null;
}

interface AnalystAbsencesTable {
  seq: number;
  analysis_id: string;
  analyst: string;
  issued_at: string;
  reason: string;
}

interface PredictionRecordTable {
  only_one: Generated<boolean>;
  scored_at: string;
  body: JSONColumnType<object>;
}

interface PredictionRecordsTable {
  scored_at: string;
  body: JSONColumnType<object>;
}

declare module '#kernel/db.ts' {
  interface Tables {
    prediction_ledger: PredictionLedgerTable;
    ledger_roots: LedgerRootsTable;
    predictions: PredictionsTable;
    analyst_absences: AnalystAbsencesTable;
    prediction_record: PredictionRecordTable;
    prediction_records: PredictionRecordsTable;
    league_forecasters: LeagueForecastersTable;
    league_records: LeagueRecordsTable;
  }
}

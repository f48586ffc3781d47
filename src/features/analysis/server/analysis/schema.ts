import type { Generated, JSONColumnType } from 'kysely';
import type { Backtest } from '#features/analysis/contract/predictions.ts';

import type { AnalystInput, Opinion, Weights } from './types.ts';

interface AnalysesTable {
  id: string;
  issued_at: string;
  finished_at: string;
  input: JSONColumnType<AnalystInput>;
  input_hash: string;
}

interface AnalysisAnswersTable {
  analysis_id: string;
  analyst: string;
  name: string;
  letter: string;
  model: string | null;
  model_version: string | null;
  opinion: JSONColumnType<Opinion> | null;
  imputed: boolean;
  structured: string | null;
  prompt_version: string | null;
  prompt_hash: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  failure: string | null;
  weights: JSONColumnType<Weights> | null;
}

interface ForecastReplayTable {
  only_one: Generated<boolean>;
  made_at: string;
  model_version: string;
  code_version: string;
  candle_count: number;
  first_day: string;
  last_day: string;
  sources: string[];
  entries: number;
  head: string;
  record: JSONColumnType<Backtest>;
  /** CSV, gzip. */
  candles: Buffer;
}

declare module '#kernel/db.ts' {
  interface Tables {
    analyses: AnalysesTable;
    analysis_answers: AnalysisAnswersTable;
    forecast_replay: ForecastReplayTable;
  }
}

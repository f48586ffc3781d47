import type { Generated, JSONColumnType } from 'kysely';
import type { Backtest } from '#features/analysis/contract/predictions.ts';
import type { CoinHorizon } from '#features/market/contract/coin-ranges.ts';

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

interface CoinRangesTable {
  coin_key: number;
  horizon: CoinHorizon;
  starts_at: string;
  ends_at: string;
  made_at: string;
  model_version: string;
  price: number;
  low_80: number;
  high_80: number;
  low_95: number;
  high_95: number;
  end_price: number | null;
  counted: Generated<boolean>;
}

interface CoinRangeReplaysTable {
  coin_key: number;
  horizon: CoinHorizon;
  made_at: string;
  model_version: string;
  n: number;
  held_80: number;
  held_95: number;
}

declare module '#kernel/db.ts' {
  interface Tables {
    analyses: AnalysesTable;
    analysis_answers: AnalysisAnswersTable;
    forecast_replay: ForecastReplayTable;
    coin_ranges: CoinRangesTable;
    coin_range_replays: CoinRangeReplaysTable;
  }
}

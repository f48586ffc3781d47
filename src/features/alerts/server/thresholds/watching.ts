import { sql } from 'kysely';
import type { Db } from '#kernel/db.ts';
import type { WatchedMetric } from '#shared/watched.ts';

/** Where a metric's values are stored. */
export const STORED_METRICS = {
  ssr: 'ssr',
  btc_dominance: 'dominance.btc',
  exchange_flow: 'flow.btc.net',
  fear_greed: 'fear_greed',
  vix: 'macro.vix',
  dxy: 'macro.dollar_broad',
  volume_24h: 'market.volume',
} as const satisfies Partial<Record<WatchedMetric, string>>;

const DAY_MS = 86_400_000;
/** Metrics whose daily value is stamped with the start of its day and published after its end. */
export const LAGS_MS: Readonly<Record<string, number>> = { vix: DAY_MS, dxy: DAY_MS };

/** The part of an analysis that an AI metric watches. */
export const TERMS = {
  ai_prediction_short: 'short',
  ai_prediction_medium: 'medium',
  ai_prediction_long: 'long',
  ai_prediction_overall: 'overall',
} as const satisfies Partial<Record<WatchedMetric, string>>;

export const RULES_CHANNEL = 'rules';

/** Notifies the owners, at commit, of the user whose rules must be reread. */
export async function notifyRuleChange(tx: Db, userId: number): Promise<void> {
  await sql`select pg_notify(${RULES_CHANNEL}, ${String(userId)})`.execute(tx);
}

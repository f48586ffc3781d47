import type { Config } from '#kernel/config.ts';
import type { MonthlyQuota } from '#kernel/http/resilience.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Jobs start on whole minutes: one that is due every quarter-hour must not slip to the next. */
const SCHEDULE_TOLERANCE_MS = MINUTE_MS;

/** Our call rates within CoinGecko's documented limits for each kind of key. */
export type CoingeckoQuota = {
  plan: 'keyless' | 'demo' | 'paid';
  perMinute: number;
  burst: number;
  perMonth: MonthlyQuota | null;
  /** Interval of /global; null leaves it to CoinPaprika and our own sum. */
  globalMs: number | null;
  categoriesMs: number;
  searchedMs: number;
  /** How long the list of a category's coins is valid; their prices come from our own price list in between. */
  membersMs: number;
  membersPerRun: number;
};

type QuotaConfig = Pick<Config, 'COINGECKO_API_KEY' | 'COINGECKO_PLAN' | 'COIN_LIMIT' | 'LISTING_MINUTES'>;

const QUOTAS: Record<CoingeckoQuota['plan'], Omit<CoingeckoQuota, 'plan' | 'perMonth'>> = {
  // 5 to 30 calls per minute per address, not guaranteed; no monthly limit.
  keyless: {
    perMinute: 4,
    burst: 1,
    globalMs: 15 * MINUTE_MS - SCHEDULE_TOLERANCE_MS,
    categoriesMs: 0,
    searchedMs: 0,
    membersMs: DAY_MS,
    membersPerRun: 8,
  },
  // 30 calls per minute, 10,000 per month.
  demo: {
    perMinute: 25,
    burst: 4,
    globalMs: null,
    categoriesMs: 90 * MINUTE_MS - SCHEDULE_TOLERANCE_MS,
    searchedMs: DAY_MS,
    membersMs: 7 * DAY_MS,
    membersPerRun: 8,
  },
  // 250 calls per minute and 100,000 per month with the smallest plan.
  paid: {
    perMinute: 200,
    burst: 20,
    globalMs: 5 * MINUTE_MS - SCHEDULE_TOLERANCE_MS / 2,
    categoriesMs: 0,
    searchedMs: 0,
    membersMs: 6 * HOUR_MS,
    membersPerRun: 16,
  },
};

const detectPlan = ({ COINGECKO_API_KEY: key, COINGECKO_PLAN: plan }: QuotaConfig) => (key ? plan : 'keyless');

export function coingeckoQuota(config: QuotaConfig): CoingeckoQuota {
  const plan = detectPlan(config);
  return { plan, ...QUOTAS[plan], perMonth: monthlyQuota(config) };
}

/**
 * Reserved for the price list, categories and trending searches: the rest of the month is for category members and
 * history.
 */
function monthlyQuota(config: QuotaConfig): MonthlyQuota | null {
  const plan = detectPlan(config);
  if (plan === 'keyless') return null;
  const pages = Math.ceil(config.COIN_LIMIT / 250);
  const { categoriesMs, searchedMs } = QUOTAS[plan];
  const runs = (everyMs: number) => Math.ceil(DAY_MS / Math.max(everyMs + SCHEDULE_TOLERANCE_MS, 30 * MINUTE_MS));
  const keptPerDay = (pages * 1440) / config.LISTING_MINUTES + runs(categoriesMs) + runs(searchedMs);
  return { calls: plan === 'demo' ? 10_000 : 100_000, reservedPerDay: keptPerDay };
}

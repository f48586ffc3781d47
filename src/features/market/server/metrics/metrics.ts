const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Source id of our own computed metrics, stored beside their inputs. */
export const OWN = 'meridian';

export type MetricRule = {
  /** Sources in order of preference; a fresh one takes precedence over a stale one. */
  order: readonly string[];
  /** Age from which the page marks it stale. */
  freshMs: number;
  /** Why it may be absent, in one sentence. */
  absent?: string;
};

const GROSS = 'Gross flows require a licensed source: set COINMETRICS_LICENSED=1 if you hold a license';
const SENDERS = 'No free source provides this. Coin Metrics does: set COINMETRICS_LICENSED=1 if you hold a license';
const LISTENING = 'No liquidation data received yet';
const DISPLAY_RIGHTS =
  'Copyrighted: collected only where the operator holds display rights and sets FRED_COPYRIGHTED=1';
const DAILY = 30 * HOUR_MS;
const TWO_DAILY = 2 * DAY_MS + 6 * HOUR_MS;
const FAST = 20 * MINUTE_MS;
/** Daily series are published days late, monthly ones weeks. */
const MACRO = { order: ['fred'], freshMs: 75 * DAY_MS };
const SLOW = 2 * HOUR_MS;
const OURS = [OWN];

/** Units: USD, coins, percent, H/s, counts. 24h changes are derived from stored history. */
export const RULES: Record<string, MetricRule> = {
  'market.cap': { order: ['coingecko', 'coinpaprika', OWN], freshMs: FAST },
  'market.volume': { order: ['coingecko', 'coinpaprika', OWN], freshMs: FAST },
  'dominance.btc': { order: ['coingecko', 'coinpaprika', OWN], freshMs: FAST },
  'stablecoins.supply': { order: ['stablecoins-llama', OWN], freshMs: 6 * HOUR_MS },
  ssr: { order: OURS, freshMs: 6 * HOUR_MS },
  'flow.btc.net': { order: ['llama'], freshMs: TWO_DAILY },
  'flow.eth.net': { order: ['llama'], freshMs: TWO_DAILY },
  'flow.btc.in': { order: ['coinmetrics'], freshMs: TWO_DAILY, absent: GROSS },
  'flow.btc.out': { order: ['coinmetrics'], freshMs: TWO_DAILY, absent: GROSS },
  'flow.eth.in': { order: ['coinmetrics'], freshMs: TWO_DAILY, absent: GROSS },
  'flow.eth.out': { order: ['coinmetrics'], freshMs: TWO_DAILY, absent: GROSS },
  fear_greed: { order: ['alternative-me'], freshMs: DAILY },
  altcoin_season: { order: OURS, freshMs: DAILY, absent: 'The daily closes of the top 50 are still being collected' },
  'oi.total': { order: OURS, freshMs: FAST },
  'oi.btc': { order: OURS, freshMs: FAST },
  'oi.eth': { order: OURS, freshMs: FAST },
  'funding.market': { order: OURS, freshMs: FAST },
  'funding.btc': { order: OURS, freshMs: FAST },
  'funding.eth': { order: OURS, freshMs: FAST },
  'liquidations.total': { order: OURS, freshMs: FAST, absent: LISTENING },
  'liquidations.long': { order: OURS, freshMs: FAST, absent: LISTENING },
  'liquidations.short': { order: OURS, freshMs: FAST, absent: LISTENING },
  'reserve.btc': { order: ['llama'], freshMs: DAILY },
  'reserve.eth': { order: ['llama'], freshMs: DAILY },
  'whales.count': { order: OURS, freshMs: SLOW },
  'whales.large': { order: OURS, freshMs: SLOW },
  'whales.deposits': { order: OURS, freshMs: SLOW },
  hash_rate: { order: ['mempool', 'blockchain-charts'], freshMs: SLOW },
  difficulty: { order: ['mempool', 'blockchain-charts'], freshMs: SLOW },
  'l1.bitcoin.tps': { order: ['mempool'], freshMs: SLOW },
  'l1.ethereum.tps': { order: ['ethereum-rpc'], freshMs: SLOW },
  'l1.ethereum.addresses': { order: ['coinmetrics'], freshMs: TWO_DAILY, absent: SENDERS },
  'l1.solana.tps': { order: ['solana-rpc'], freshMs: SLOW },
  'l1.sui.tps': { order: ['sui-graphql', 'sui-fallback'], freshMs: SLOW },
  'l1.ripple.tps': { order: ['xrpl'], freshMs: SLOW },
  'macro.sp500': { ...MACRO, absent: DISPLAY_RIGHTS },
  'macro.vix': { ...MACRO, absent: DISPLAY_RIGHTS },
  'addresses.btc.active': { order: ['blockchain-charts', 'coinmetrics'], freshMs: TWO_DAILY },
  'addresses.btc.new': { order: [], freshMs: DAILY, absent: 'No free source provides new addresses' },
  'addresses.btc.returning': { order: [], freshMs: DAILY, absent: 'No free source provides returning addresses' },
};

const NO_ANSWER = 'No source has provided this value yet';

/** Metrics no source provides, by the end of the metric's name. */
const NOT_COUNTED: Record<string, string> = {
  tps: 'No free source provides transactions for this chain',
  addresses: 'No free source provides active addresses for this chain',
};

export function absentReason(metric: string): string {
  const rule = RULES[metric];
  if (rule) return rule.absent ?? NO_ANSWER;
  return (metric.startsWith('l1.') && NOT_COUNTED[metric.split('.').at(-1) ?? '']) || NO_ANSWER;
}
/** Rules for open-ended families of metrics. */
const FAMILIES: [prefix: string, rule: MetricRule][] = [
  ['narrative.', { order: [], freshMs: SLOW }],
  ['macro.', MACRO],
];

const ruleNamed = (metric: string) => (Object.hasOwn(RULES, metric) ? RULES[metric] : undefined);

export const findRule = (metric: string): MetricRule =>
  ruleNamed(metric) ?? FAMILIES.find(([prefix]) => metric.startsWith(prefix))?.[1] ?? { order: [], freshMs: FAST };

import type { CollectionSummary, ListedAnalysis, Overview } from '#features/operations/contract/collections.ts';
import type { Health } from '#features/operations/contract/health.ts';

const AT = '2026-11-20T11:58:00.000Z';

const price = (coin: string, symbol: string, value: number) => ({
  coin,
  symbol,
  name: symbol,
  price: value,
  change_24h: -1.25,
  volume_24h: null,
  market_cap: 1_204_000_000_000,
  source: 'coingecko',
  observedAt: AT,
  fetchedAt: AT,
  method: 'measured',
});

/** A collection too large to count, one shown in full, one containing a script, and an empty one. */
export const summaries: CollectionSummary[] = [
  {
    collection: 'market_data',
    count: 12_340_000,
    estimated: true,
    found: null,
    searched: null,
    data: [
      price('bitcoin', 'BTC', 61_234.5),
      price('ethereum', 'ETH', 3_001),
      price('solana', 'SOL', 140.25),
      price('sui', 'SUI', 2),
    ],
  },
  {
    collection: 'users',
    count: 1,
    estimated: false,
    found: null,
    searched: null,
    data: [{ id: 1, email: 'root@example.com', emailVerified: true, isAdmin: true, plan: 'admin', createdAt: AT }],
  },
  {
    collection: 'error_logs',
    count: 4,
    estimated: false,
    found: null,
    searched: null,
    data: [4, 3, 2, 1].map((id) => ({
      id,
      source: 'coingecko',
      message: '<script>alert(1)</script>',
      details: `${'x'.repeat(140)}END`,
    })),
  },
  { collection: 'fear_greed', count: 0, estimated: false, found: null, searched: null, data: [] },
];

const term = (market_direction: string, confidence: number, reasoning: string) => ({
  market_direction,
  confidence,
  reasoning,
});
export const LONG_REASONING = `${'Because the market says so, again. '.repeat(3).slice(0, 100)}And this is cut.`;

const nothing = {
  overall_direction: null,
  overall_confidence: null,
  short_term: null,
  medium_term: null,
  long_term: null,
  opinions: [],
  failures: [],
  market_direction: null,
  confidence: null,
  reasoning: null,
};

/**
 * By a model and the base analyst, by the analyst without AI alone, in an older format, and one without any response.
 */
export const analyses: ListedAnalysis[] = [
  {
    ...nothing,
    id: 'a-0004',
    timestamp: AT,
    overall_direction: 'BULLISH',
    overall_confidence: 61.4,
    short_term: term('BULLISH', 70.2, LONG_REASONING),
    medium_term: term('NEUTRAL', 48, 'Nothing moves.'),
    long_term: term('BEARISH', 55, 'It will fall.'),
    ai_generated: true,
    opinions: [
      { name: 'Groq', model: 'llama', built_in: false, overall_direction: 'BULLISH', overall_confidence: 66 },
      {
        name: 'Built-in analyst (statistics, no AI)',
        model: 'rules',
        built_in: true,
        overall_direction: 'NEUTRAL',
        overall_confidence: 50,
      },
    ],
    failures: [{ name: 'Venice', reason: 'It answered 500' }],
  },
  {
    ...nothing,
    id: 'a-0003',
    timestamp: AT,
    overall_direction: 'NEUTRAL',
    overall_confidence: 40,
    short_term: term('NEUTRAL', 40, 'Flat.'),
    ai_generated: false,
    opinions: [
      {
        name: 'Built-in analyst (statistics, no AI)',
        model: 'rules',
        built_in: true,
        overall_direction: 'NEUTRAL',
        overall_confidence: 40,
      },
    ],
  },
  {
    ...nothing,
    id: null,
    timestamp: null,
    ai_generated: true,
    market_direction: 'BEARISH',
    confidence: 52,
    reasoning: 'Of an older form.',
  },
  { ...nothing, id: 'a-0001', timestamp: AT, ai_generated: false, failures: [{ name: 'Groq', reason: 'No answer' }] },
];

export const calm: Overview = {
  at: '2026-11-20T12:00:00.000Z',
  collections: [
    { collection: 'market_data', count: 900, estimated: false },
    { collection: 'ai_analysis', count: 12, estimated: false },
    { collection: 'users', count: 4, estimated: false },
  ],
  signUps: ['14', '15', '16', '17', '18', '19', '20'].map((day) => ({
    day: `2026-11-${day}`,
    count: day === '20' ? 3 : 0,
  })),
  plans: { free: 1, pro: 1, premium: 1, admin: 1 },
  errors: { api_failure: 0, data_collection: 0, authentication: 0, system: 0, other: 0 },
  failedJobs: 0,
  failedDeliveries: 0,
  failedMails: 0,
  unreadMessages: 0,
  suspense: { count: 0, usd: '0.00' },
};

export const busy: Overview = {
  ...calm,
  collections: [{ collection: 'market_data', count: 12_340_000, estimated: true }, ...calm.collections.slice(1)],
  errors: { api_failure: 1_200, data_collection: 3, authentication: 40, system: 0, other: 0 },
  failedJobs: 2,
  failedDeliveries: 7,
  failedMails: 1,
  unreadMessages: 3,
  suspense: { count: 2, usd: '13.00' },
};

const source = (name: string, state: Health['sources'][number]['state']): Health['sources'][number] => ({
  id: name.toLowerCase(),
  name,
  gives: 'Prices',
  state,
  note: null,
  lastSuccessAt: AT,
  lastFailureAt: null,
});

export const healthy: Health = {
  status: 'ok',
  version: '1.0.0',
  dataMode: 'live',
  role: 'all',
  reads: null,
  database: { kind: 'bundled', version: '18.1', writable: true, note: null },
  exports: { writable: true, note: null },
  startedAt: '2026-11-20T08:00:00.000Z',
  uptime: { percent: 99.95, windowDays: 12.4, targetPercent: 99.9 },
  sources: [source('CoinGecko', 'ok'), source('Venice', 'key_missing')],
};

export const unwell: Health = {
  ...healthy,
  status: 'degraded',
  database: { kind: 'bundled', version: '18.1', writable: false, note: 'The disk is full.' },
  exports: { writable: false, note: 'No exports can be made.' },
  uptime: { percent: 98.1, windowDays: 0.5, targetPercent: 99.9 },
  sources: ['A', 'B', 'C', 'D'].map((name) => source(name, 'down')),
};

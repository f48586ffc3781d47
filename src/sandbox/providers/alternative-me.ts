import type { Market } from '#sandbox/market/market.ts';
import { fearAndGreed } from '#sandbox/market/sentiment.ts';
import { DAY, MARKET_START } from '#sandbox/market/time.ts';
import type { Call, Provider } from '#sandbox/provider.ts';

/** Highest value of each class, as observed. */
const CLASSES = [
  [25, 'Extreme Fear'],
  [46, 'Fear'],
  [54, 'Neutral'],
  [75, 'Greed'],
  [100, 'Extreme Greed'],
] as const;

function classOf(value: number): string {
  return CLASSES.find(([most]) => value <= most)?.[1] ?? 'Extreme Greed';
}

/** Newest first; a limit of 0 asks for every day there is. */
function index(market: Market, { query, now }: Call) {
  const today = Math.floor(now / DAY);
  const first = MARKET_START / DAY;
  const wanted = Number(query.get('limit') ?? 1);
  const count = Math.min(today - first + 1, wanted > 0 ? Math.floor(wanted) : Number.POSITIVE_INFINITY);
  return {
    name: 'Fear and Greed Index',
    data: Array.from({ length: Math.max(0, count) }, (_, i) => {
      const day = today - i;
      const value = fearAndGreed(market, day);
      return {
        value: String(value),
        value_classification: classOf(value),
        timestamp: String((day * DAY) / 1000),
        ...(i === 0 ? { time_until_update: String(Math.ceil(((today + 1) * DAY - now) / 1000)) } : {}),
      };
    }),
    metadata: { error: null },
  };
}

export function alternativeMe(market: Market): Provider {
  const answer = (call: Call) => ({ body: index(market, call) });
  return {
    id: 'alternative-me',
    base: '/alternative-me',
    env: { ALTERNATIVE_ME_BASE_URL: { scheme: 'http', path: '/alternative-me' } },
    routes: [
      { path: '/fng/', answer },
      { path: '/fng', answer },
    ],
    notFound: { status: 404, body: { name: '', data: [], metadata: { error: 'Not found' } } },
    rateLimited: { name: 'Fear and Greed Index', data: [], metadata: { error: 'Too many requests' } },
    serverError: { name: 'Fear and Greed Index', data: [], metadata: { error: 'Internal error' } },
    withNulls: (_path, body) => ({ ...(body as object), data: null }),
  };
}

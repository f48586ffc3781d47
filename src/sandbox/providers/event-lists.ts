import { dateText, monthName } from '#sandbox/market/calendar.ts';
import type { Market } from '#sandbox/market/market.ts';
import { fraction } from '#sandbox/market/random.ts';
import { DAY } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

const COMPANIES = [
  'COIN',
  'MSTR',
  'CRCL',
  'MARA',
  'RIOT',
  'HOOD',
  'XYZ',
  'GLXY',
  'NVDA',
  'MSFT',
  'AAPL',
  'TSLA',
  'ZZZZ',
];

const MONTH_DAYS = 31;

/**
 * A free key gets nothing beyond a month. Each company reports once a quarter, some weeks after its end; some are not
 * sorted by name.
 */
function earnings(market: Market, { query, headers, now }: Call) {
  if (!query.get('token') && !headers['x-finnhub-token'])
    throw new ReplyError({ status: 401, body: { error: 'Please use an API key.' } });
  const [from, to] = [query.get('from') ?? dateText(now), query.get('to') ?? dateText(now + 30 * DAY)];
  if (Date.parse(to) - Date.parse(from) > MONTH_DAYS * DAY) return { earningsCalendar: [] };
  const quarter = Math.floor(new Date(now).getUTCMonth() / 3) + new Date(now).getUTCFullYear() * 4;
  const rows = [quarter - 1, quarter, quarter + 1].flatMap((of) =>
    COMPANIES.map((symbol, i) => {
      const ends = Date.UTC(Math.floor(of / 4), ((of % 4) + 1) * 3, 1);
      const at = ends + (22 + i * 2) * DAY;
      const day = new Date(at).getUTCDay();
      const estimate = Number((0.2 + 2 * fraction(market.seed, 0x65_61, of, i)).toFixed(4));
      return {
        date: dateText(at + (day === 6 ? 2 * DAY : day === 0 ? DAY : 0)),
        epsActual: at < now ? Number((estimate * 1.04).toFixed(4)) : null,
        epsEstimate: estimate,
        hour: i % 3 === 0 ? 'bmo' : i % 3 === 1 ? 'amc' : '',
        quarter: (of % 4) + 1,
        revenueActual: null,
        revenueEstimate: Math.round(1e9 * estimate),
        symbol,
        year: Math.floor(of / 4),
      };
    }),
  );
  return { earningsCalendar: rows.filter(({ date }) => date >= from && date <= to) };
}

export function finnhub(market: Market): Provider {
  return {
    id: 'finnhub',
    base: '/finnhub',
    env: { FINNHUB_BASE_URL: { scheme: 'http', path: '/finnhub' } },
    routes: [{ path: '/calendar/earnings', handle: (call) => ({ body: earnings(market, call) }) }],
    notFound: { status: 404, body: { error: 'Not found' } },
    rateLimited: { error: 'API limit reached. Please try again later. Remaining Limit: 0' },
    serverError: { error: 'Internal error' },
    withNulls: (_path, body) => ({
      earningsCalendar: (body as { earningsCalendar: object[] }).earningsCalendar.map((row) => ({
        ...row,
        epsEstimate: null,
        hour: null,
      })),
    }),
  };
}

const COIN_EVENTS: readonly [symbol: string, title: string, description: string][] = [
  ['SOL', 'Validator client upgrade', 'A new validator client goes to mainnet.'],
  ['ETH', 'Hard fork on mainnet', 'The next protocol upgrade is activated.'],
  ['SUI', 'Token unlock', 'Tokens of early contributors are unlocked.'],
  ['ADA', 'Community summit', 'The yearly meeting of the community.'],
  ['ARB', 'Token unlock', 'Tokens of the team and investors are unlocked.'],
  ['LINK', 'AMA with the team', 'Questions and answers.'],
];

const WINDOW_DAYS = 90;
const MAX_ROWS = 100;

/** One event per week; the second has only a day, the ninth only its month. */
function coinEvent(week: number, i: number) {
  const number = week + i + 1;
  const at = number * 7 * DAY + 5 * DAY;
  const [symbol = '', title = '', description = ''] = COIN_EVENTS[number % COIN_EVENTS.length] ?? [];
  const date = new Date(at);
  const isEmpty = i === 1;
  const isDateVague = i === 8;
  const month = monthName(date.getUTCMonth()).slice(0, 3);
  return {
    id: String(200_000 + number),
    slug: `event-${number}`,
    title: isEmpty ? '' : title,
    description: isEmpty ? '' : description,
    date: `${dateText(at)}T00:00:00Z`,
    dateEnd: '',
    dateType: isDateVague ? 'month' : 'date',
    isEstimated: isDateVague,
    displayedDate: `${isDateVague ? '' : `${date.getUTCDate()} `}${month} ${date.getUTCFullYear()}`,
    categories: ['other'],
    coins: isEmpty ? [] : [{ slug: symbol.toLowerCase(), symbol: symbol.toLowerCase(), name: symbol }],
    impact: null,
    impactSummary: null,
    sourceUrl: isEmpty ? null : `https://coinmarketcal.com/en/event/event-${number}`,
    snapshotUrl: null,
  };
}

const encodeCursor = (offset: number) => Buffer.from(JSON.stringify({ offset })).toString('base64url');

/** The offset encoded in one of our cursors; undefined for any other text. */
function decodeCursor(cursor: string): number | undefined {
  const offset = Number(/^\{"offset":(\d+)\}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]);
  return Number.isInteger(offset) ? offset : undefined;
}

/** The date range of a Standard plan. */
function coinEvents({ query, headers, now }: Call) {
  if (!/^Bearer \S+$/.test(String(headers.authorization)))
    throw new ReplyError({ status: 401, body: { error: { message: 'Invalid or missing API key' } } });
  const last = dateText(now + WINDOW_DAYS * DAY);
  const [from, to] = [query.get('from') ?? dateText(now), query.get('to') ?? last];
  const cursor = query.get('cursor');
  const offset = cursor === null ? 0 : decodeCursor(cursor);
  const limit = Number(query.get('limit') ?? MAX_ROWS);
  if (offset === undefined || !(limit >= 1 && limit <= MAX_ROWS))
    throw new ReplyError({ status: 400, body: { error: { message: 'Invalid query parameters' } } });
  const week = Math.floor(now / (7 * DAY));
  const rows = Array.from({ length: 12 }, (_, i) => coinEvent(week, i)).filter(({ date }) => {
    const day = date.slice(0, 10);
    return day >= from && day <= to && day <= last;
  });
  const next = offset + limit;
  return {
    data: rows.slice(offset, next),
    meta: { total: rows.length, limit, cursor: next < rows.length ? encodeCursor(next) : null },
  };
}

export function coinmarketcal(): Provider {
  return {
    id: 'coinmarketcal',
    base: '/coinmarketcal',
    env: { COINMARKETCAL_BASE_URL: { scheme: 'http', path: '/coinmarketcal' } },
    routes: [{ path: '/v2/events', handle: (call) => ({ body: coinEvents(call) }) }],
    notFound: { status: 404, body: { error: { message: 'Not found' } } },
    rateLimited: { error: { message: 'Too many requests' } },
    serverError: { error: { message: 'Internal server error' } },
    withNulls: (_path, body) => {
      const { data, meta } = body as ReturnType<typeof coinEvents>;
      return {
        data: data.map((row) => ({ ...row, title: null, description: null, coins: null, sourceUrl: null })),
        meta,
      };
    },
  };
}

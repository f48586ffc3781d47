import { dateText, monthName } from '#sandbox/market/calendar.ts';
import type { Market } from '#sandbox/market/market.ts';
import { fraction } from '#sandbox/market/random.ts';
import { DAY } from '#sandbox/market/time.ts';
import { type Call, type Provider, Refusal } from '#sandbox/provider.ts';

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

/** Each company once a quarter, some weeks after its end; some of them not in the order of their names. */
function earnings(market: Market, { query, headers, now }: Call) {
  if (!query.get('token') && !headers['x-finnhub-token'])
    throw new Refusal({ status: 401, body: { error: 'Please use an API key.' } });
  const [from, to] = [query.get('from') ?? dateText(now), query.get('to') ?? dateText(now + 30 * DAY)];
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
    routes: [{ path: '/calendar/earnings', answer: (call) => ({ body: earnings(market, call) }) }],
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

const NEWS: readonly [symbol: string, title: string, description: string][] = [
  ['SOL', 'Validator client upgrade', 'A new validator client goes to mainnet.'],
  ['ETH', 'Hard fork on mainnet', 'The next protocol upgrade is activated.'],
  ['SUI', 'Token unlock', 'Tokens of early contributors are unlocked.'],
  ['ADA', 'Community summit', 'The yearly meeting of the community.'],
  ['ARB', 'Token unlock', 'Tokens of the team and investors are unlocked.'],
  ['LINK', 'AMA with the team', 'Questions and answers.'],
];

/** One of them a week; every seventh has nothing but a day. */
function coinEvents({ query, headers, now }: Call) {
  if (!headers['x-api-key']) throw new Refusal({ status: 403, body: { message: 'Forbidden' } });
  const week = Math.floor(now / (7 * DAY));
  const rows = Array.from({ length: 12 }, (_, i) => {
    const number = week + i + 1;
    const at = number * 7 * DAY + 5 * DAY;
    const [symbol = '', title = '', description = ''] = NEWS[number % NEWS.length] ?? [];
    const date = new Date(at);
    const empty = i === 1;
    const vague = i === 8;
    return {
      id: 200_000 + number,
      title: empty ? null : { en: title },
      description: empty ? null : { en: description },
      coins: empty ? [] : [{ id: symbol.toLowerCase(), name: symbol, rank: 10, symbol, fullname: symbol }],
      date_event: `${dateText(at)}T00:00:00Z`,
      displayed_date: vague
        ? `${monthName(date.getUTCMonth())} ${date.getUTCFullYear()}`
        : `${String(date.getUTCDate()).padStart(2, '0')} ${monthName(date.getUTCMonth()).slice(0, 3)} ${date.getUTCFullYear()}`,
      can_occur_before: vague,
      created_date: `${dateText(at - 30 * DAY)}T00:00:00Z`,
      categories: [{ id: 1, name: 'Other' }],
      proof: empty ? null : `https://coinmarketcal.com/en/proof/${number}`,
      source: empty ? null : `https://coinmarketcal.com/en/event/${number}`,
    };
  });
  const first = Number(query.get('page') ?? 1);
  return {
    body: first === 1 ? rows : [],
    _metadata: { max: 75, page: first, page_count: 1, total_count: rows.length },
  };
}

export function coinmarketcal(): Provider {
  return {
    id: 'coinmarketcal',
    base: '/coinmarketcal',
    env: { COINMARKETCAL_BASE_URL: { scheme: 'http', path: '/coinmarketcal' } },
    routes: [{ path: '/v1/events', answer: (call) => ({ body: coinEvents(call) }) }],
    notFound: { status: 404, body: { message: 'Not Found' } },
    rateLimited: { message: 'Limit Exceeded' },
    serverError: { message: 'Internal server error' },
    withNulls: (_path, body) => ({
      body: (body as { body: object[] }).body.map((row) => ({ ...row, title: null, coins: null, source: null })),
    }),
  };
}

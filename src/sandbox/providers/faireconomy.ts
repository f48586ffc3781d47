import type { Market } from '#sandbox/market/market.ts';
import { priceIndexesOf, usSeries } from '#sandbox/market/price-indexes.ts';
import { normalAt } from '#sandbox/market/signals.ts';
import type { Provider } from '#sandbox/provider.ts';
import { addMonths, easternDay, easternTime, type ReleaseType, releasesBetween } from '#shared/release-calendar.ts';

const DAY_MS = 86_400_000;
/** Release rows in the calendar: all series of consumer and producer prices, only the core of PCE. */
const TITLES: Partial<Record<ReleaseType, readonly (readonly [title: string, series: string])[]>> = {
  cpi: [
    ['Core CPI m/m', 'CPILFESL'],
    ['CPI m/m', 'CPIAUCSL'],
  ],
  ppi: [
    ['Core PPI m/m', 'PPIFES'],
    ['PPI m/m', 'PPIFIS'],
  ],
  pce: [['Core PCE Price Index m/m', 'PCEPILFE']],
};
const DENIED = '<!DOCTYPE html>\n<html><head><title>Request Denied</title></head><body>Request Denied</body></html>\n';

const percent = (value: number | null) => (value === null ? '' : `${value.toFixed(1)}%`);

function withOffset(at: Date): string {
  const behind = easternTime(easternDay(at), '12:00').getUTCHours() - 12;
  return new Date(at.getTime() - behind * 3_600_000).toISOString().replace('.000Z', `-0${behind}:00`);
}

/** The events of this week, from Sunday to Saturday in New York. */
function week(market: Market, now: number): object[] {
  const today = Date.parse(`${easternDay(new Date(now))}T00:00:00Z`);
  const sunday = today - new Date(today).getUTCDay() * DAY_MS + 5 * 3_600_000;
  const indexes = priceIndexesOf(market);
  const claims = (at: number) => `${Math.round(220 + 12 * normalAt(market.seed, 0x63_6c, at / DAY_MS))}K`;
  const thursday = sunday + 4 * DAY_MS - 5 * 3_600_000;
  const weekly = {
    title: 'Unemployment Claims',
    country: 'USD',
    date: withOffset(easternTime(new Date(thursday).toISOString().slice(0, 10))),
    impact: 'Medium',
    forecast: claims(thursday),
    previous: claims(thursday - 7 * DAY_MS),
  };
  const official = releasesBetween(new Date(sunday), new Date(sunday + 7 * DAY_MS)).flatMap(({ type, period, at }) =>
    (TITLES[type] ?? []).flatMap(([title, id]) => {
      const series = usSeries(id);
      if (!series) return [];
      return {
        title,
        country: 'USD',
        date: withOffset(at),
        impact: 'High',
        forecast: percent(indexes.consensus(series, period)),
        previous: percent(indexes.firstRelease(series, addMonths(period, -1))),
      };
    }),
  );
  return [...official, weekly];
}

export function faireconomy(market: Market): Provider {
  return {
    id: 'faireconomy',
    base: '/faireconomy',
    env: { CONSENSUS_CALENDAR_BASE_URL: { scheme: 'http', path: '/faireconomy' } },
    routes: [{ path: '/ff_calendar_thisweek.json', handle: ({ now }) => ({ body: week(market, now) }) }],
    notFound: { status: 404, body: DENIED },
    rateLimited: DENIED,
    serverError: DENIED,
    softError: DENIED,
    withNulls: (_path, body) => (body as { forecast: string }[]).map((row) => ({ ...row, forecast: '' })),
  };
}

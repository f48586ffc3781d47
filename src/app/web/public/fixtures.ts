import type { LandingModel } from '#app/render.ts';
import { raisedOf } from '#features/alerts/web/alerts/fixtures.ts';
import { cellOf } from '#features/analysis/web/predictions/fixtures.ts';
import { latest } from '#features/inflation/web/fixtures.ts';
import { pricingOf } from '#features/payments/web/billing/fixtures.ts';
import type { LandingFacts } from '#features/site/contract/landing.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import { NOON } from '#ui/testing/figures.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const outlookTerm = (market_direction: 'BULLISH' | 'NEUTRAL' | 'BEARISH', confidence = 50) => ({
  market_direction,
  confidence,
});
const outlook = (...[check_point, short_term, medium_term, long_term]: ReturnType<typeof outlookTerm>[]) => {
  if (!check_point || !short_term || !medium_term || !long_term) throw new Error('four distances');
  return { check_point, short_term, medium_term, long_term };
};

/** An instance that has collected nothing yet. */
export const noFacts: LandingFacts = {
  observations: 0,
  quotes: [],
  record: { scoredAt: iso(NOON), graded: 0, strip: null, headline: null, cells: [] },
  outlook: null,
  alert: null,
  events: { next: [], ahead: 0 },
  cpi: null,
  api: { answer: null, csv: null },
};

const quote = (source: string, price: number, secondsAgo: number) => ({
  source,
  price,
  meta: {
    source,
    observedAt: iso(NOON - secondsAgo * 1000),
    fetchedAt: iso(NOON - secondsAgo * 1000),
    method: 'measured' as const,
    staleAfter: iso(NOON + 600_000),
  },
});

/** One of everything the page can show. */
export const someFacts: LandingFacts = {
  observations: 1_234_567,
  quotes: [
    { symbol: 'BTC', name: 'Bitcoin', quotes: [quote('okx', 100_000, 2), quote('coingecko', 100_500, 90)] },
    { symbol: 'XRP', name: 'XRP', quotes: [quote('okx', 2, 3)] },
  ],
  record: {
    scoredAt: iso(NOON),
    graded: 1284,
    strip: {
      calls: [
        { hit: true, sure: 0.5 },
        { hit: false, sure: 0.4 },
        { hit: false, sure: 0.6 },
      ],
      issuedFrom: '2026-11-14T00:00:00.000Z',
      settledTo: '2026-11-21T00:00:00.000Z',
    },
    headline: cellOf(),
    cells: [cellOf(), cellOf({ provider: 'local', verdict: 'behind', n: 90 })],
  },
  outlook: {
    at: iso(NOON - 3_600_000),
    consensus: outlook(
      outlookTerm('NEUTRAL'),
      outlookTerm('BULLISH'),
      outlookTerm('BULLISH', 70),
      outlookTerm('BEARISH'),
    ),
    opinions: [
      {
        id: 'venice',
        name: 'Venice',
        letter: 'V',
        built_in: false,
        ...outlook(outlookTerm('NEUTRAL'), outlookTerm('BULLISH'), outlookTerm('BULLISH'), outlookTerm('BEARISH')),
      },
      {
        id: 'local',
        name: 'Built-in analyst',
        letter: 'B',
        built_in: true,
        ...outlook(outlookTerm('NEUTRAL'), outlookTerm('NEUTRAL'), outlookTerm('NEUTRAL'), outlookTerm('BEARISH', 70)),
      },
    ],
  },
  alert: raisedOf(7, { type: 'PRICE_BEARISH_MOVE', severity: 'high', message: 'BTC fell 8.4% in 24 hours' }),
  events: {
    next: [
      {
        id: 4,
        title: 'US CPI, November',
        category: 'inflation',
        impact: 'high',
        date: '2026-11-26T13:30:00.000Z',
        allDay: false,
        dateEstimated: true,
        source: 'Bureau of Labor Statistics',
        daysUntil: 5,
      },
    ],
    ahead: 12,
  },
  cpi: {
    period: '2026-10',
    releasedOn: '2026-11-10',
    headline: latest.expectations.cpi.headline,
    core: latest.expectations.cpi.core,
    months: latest.history['cpi'] ?? [],
    note: null,
  },
  api: {
    answer: { timestamp: iso(NOON), dataMode: 'live', prices: [] },
    csv: { text: 'id,price\r\nbitcoin,100000\r\n', sha256: 'ab'.repeat(32) },
  },
};

export const landingOf = (change: Partial<LandingModel> = {}): LandingModel => ({
  version: '1.0.0',
  year: 2026,
  dataMode: 'live',
  now: iso(NOON),
  top: [],
  sparklines: {},
  sources: [],
  about: aboutOf(),
  latency: null,
  pricing: pricingOf(),
  origin: 'https://meridian.example',
  facts: noFacts,
  ...change,
});

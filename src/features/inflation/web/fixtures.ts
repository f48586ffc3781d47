import type {
  Expectation,
  Expectations,
  Forecast,
  ForecastScore,
  InflationReading,
  LatestInflation,
  Release,
} from '#features/inflation/contract.ts';
import { figuresOf, missing, NOON, origin } from '#ui/testing/figures.ts';

const timestamp = new Date(NOON).toISOString();
const of = (metric: string) =>
  origin(`inflation.${metric}`, { source: 'fred', observedMs: NOON - 864e5, staleAfter: '2026-12-20T00:00:00.000Z' });

const expectation = (consensus: number | null, actual: number | null, nowcast: number | null = 0.24): Expectation =>
  figuresOf({
    consensus: [
      consensus,
      consensus === null ? missing('inflation.consensus', 'No source of a consensus is set.') : of('consensus'),
    ],
    nowcast: [
      nowcast,
      nowcast === null ? missing('inflation.nowcast', 'The nowcast was not read yet.') : of('nowcast'),
    ],
    previous: [0.2, of('previous')],
    actual: [actual, actual === null ? missing('inflation.actual', 'No print is known.') : of('actual')],
    surprise: [
      consensus === null || actual === null ? null : actual - consensus,
      consensus === null || actual === null
        ? missing('inflation.surprise', 'There is no consensus to compare with.')
        : { ...of('surprise'), method: 'computed' },
    ],
  });

export const expectations: Expectations = {
  cpi: { headline: expectation(0.2, 0.3), core: expectation(0.3, 0.2) },
  pce: { headline: expectation(null, 0.2), core: expectation(null, 0.2, null) },
  ppi: { headline: expectation(0.3, 0.3), core: expectation(0.2, 0.4), yoy: expectation(2.6, 2.4) },
};

const months = Array.from({ length: 24 }, (_, i) => {
  const at = new Date(Date.UTC(2024, 10 + i, 1));
  return `${at.getUTCFullYear()}-${String(at.getUTCMonth() + 1).padStart(2, '0')}`;
});
const past = (start: number, step: number) =>
  months.map((period, i) =>
    period === '2025-10'
      ? { period, mom: null, yoy: null, reason: 'The agency did not collect this month.' }
      : { period, mom: 0.2, yoy: start + step * Math.sin(i / 3) },
  );

export const latest: LatestInflation = {
  timestamp,
  cpi: {
    date: '2026-11-10',
    period: '2026-10',
    basis: { cpiYoY: 'SA' },
    gaps: {},
    ...figuresOf({
      cpi: [331.2, of('cpi')],
      cpiMoM: [0.3, of('cpi.mom')],
      cpiYoY: [2.9, of('cpi.yoy')],
      coreCPI: [338.1, of('cpi.core')],
      coreCPIMoM: [0.2, of('cpi.core.mom')],
      coreCPIYoY: [3.1, of('cpi.core.yoy')],
    }),
  },
  pce: {
    date: '2026-10-30',
    period: '2026-09',
    basis: {},
    gaps: {},
    ...figuresOf({
      pce: [128.4, of('pce')],
      pceMoM: [0.2, of('pce.mom')],
      pceYoY: [2.6, of('pce.yoy')],
      corePCE: [127.9, of('pce.core')],
      corePCEMoM: [0.2, of('pce.core.mom')],
      corePCEYoY: [null, missing('pce.core.yoy', 'The same month a year earlier does not exist.')],
    }),
  },
  ppi: {
    date: '2026-11-13',
    period: '2026-10',
    basis: {},
    gaps: {},
    ...figuresOf({
      ppi: [151.9, of('ppi')],
      ppiMoM: [0.3, of('ppi.mom')],
      ppiYoY: [2.4, of('ppi.yoy')],
      corePPI: [149.2, of('ppi.core')],
      corePPIMoM: [0.4, of('ppi.core.mom')],
      corePPIYoY: [2.7, of('ppi.core.yoy')],
    }),
  },
  expectations,
  commentary: {
    cpi: ['CPI inflation of 2.9% is in range.', 'Core CPI runs above headline.'],
    pce: ['PCE inflation of 2.6% is strong.'],
    ppi: [],
    ai: null,
  },
  history: { cpi: past(2.8, 0.4), pce: past(2.5, 0.2), ppi: past(2.2, 0.6) },
  next: [
    { type: 'pce', date: '2026-11-25T13:30:00.000Z', period: '2026-10', source: 'BEA', estimated: false },
    { type: 'cpi', date: '2026-12-10T13:30:00.000Z', period: '2026-11', source: 'BLS', estimated: false },
    { type: 'ppi', date: '2026-12-15T13:30:00.000Z', period: '2026-11', source: 'BLS', estimated: true },
  ],
  note: 'Figures up to June 2025 are those of the agencies; later ones are simulated.',
};

export const releases: Release[] = [
  {
    type: 'PPI',
    date: '2026-11-20',
    releasedAt: '2026-11-20T13:30:00.000Z',
    period: '2026-10',
    source: 'BLS',
    revisions: 0,
  },
];

const entry = {
  id: 1,
  forecaster: 'built-in',
  name: 'Built-in forecaster (statistics, no AI)',
  model: null,
  period: '2026-11',
  issued_at: '2026-11-20T06:00:00.000Z',
  prediction: 0.25,
  core: 0.27,
  confidence: null,
  reasoning: null,
  actual: null,
  error: null,
};
const scored = (forecaster: string, name: string, says: number | null, n: number, mae: number): ForecastScore => ({
  forecaster,
  name,
  yardstick: false,
  says,
  n,
  mae,
  low: null,
  high: null,
  skill: null,
});
const forecastOf = (period: string, prediction: number): Forecast => ({
  period,
  release_date: '2026-12-10T13:30:00.000Z',
  forecast_data: { prediction, core: 0.27, n: 1 },
  entries: [{ ...entry, period, prediction }],
  past: [{ ...entry, id: 0, period: '2026-10', prediction: 0.21, actual: 0.3, error: -0.09 }],
  scores: [
    {
      ...scored('built-in', entry.name, 0.25, 12, 0.11),
      low: 0.04,
      high: 0.18,
      skill: { n: 12, difference: -0.03, low: -0.08, high: 0.02, verdict: 'too few' },
    },
    {
      ...scored('consensus', 'Consensus', null, 5, 0.08),
      yardstick: true,
      skill: { n: 5, difference: -0.05, low: null, high: null, verdict: 'too few' },
    },
    {
      ...scored('nowcast', 'Nowcast', 0.24, 70, 0.05),
      yardstick: true,
      low: 0.04,
      high: 0.06,
      skill: { n: 70, difference: -0.09, low: -0.12, high: -0.06, verdict: 'ahead' },
    },
    { ...scored('last_value', 'Last value', 0.3, 70, 0.14), yardstick: true, low: 0.1, high: 0.18 },
  ],
});
export const forecasts = { cpi: forecastOf('2026-11', 0.25), pce: forecastOf('2026-10', 0.18) };

const term = (series: string, name: string, surprise: number, weight: number, instead: string | null = null) => ({
  series,
  name,
  period: '2026-10',
  actual: 0.3,
  expected: 0.3 - surprise,
  surprise,
  weight,
  contribution: -Math.max(-2, Math.min(2, surprise / 0.1)) * weight,
  instead,
});

export const reading: InflationReading = {
  sentiment: 'slightly_bearish',
  score: -0.4,
  marketImpact: {
    crypto: 'slightly_negative',
    stocks: 'slightly_negative',
    bonds: 'negative',
    description: 'Prices rose a little faster than expected, which makes rate cuts less likely.',
  },
  terms: [
    term('cpi', 'CPI', 0.1, 0.3),
    term('coreCPI', 'Core CPI', -0.1, 0.2),
    term('pce', 'PCE', 0.1, 0.2, 'change of the yearly rate'),
  ],
  meta: { score: { ...of('sentiment'), method: 'computed' } },
};

const answers = {
  '/api/inflation/latest': latest,
  '/api/inflation/releases': { timestamp, releases, next: latest.next },
  '/api/inflation/forecasts': { timestamp, forecasts },
  '/api/inflation/expectations': { timestamp, expectations },
  '/api/inflation/sentiment': { timestamp, data: reading },
  '/api/inflation/at': { latest, releases, forecasts, expectations, reading },
};
export type InflationPath = keyof typeof answers;

/** The card's five responses, as from a server. */
export const inflationAnswers = Object.fromEntries(
  Object.entries(answers).map(([path, body]) => [path, () => Response.json(body)]),
) as Record<InflationPath, () => Response>;

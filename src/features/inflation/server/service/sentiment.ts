import type { Expectations, Indicator, InflationReading } from '#features/inflation/contract.ts';
import {
  contributionOf,
  IMPACT_STEPS,
  IMPACT_WEIGHTS,
  SCORED,
  SCORED_NAMES,
  type Scored,
  SENTIMENT_STEPS,
  SENTIMENT_WEIGHTS,
  scoreOf,
  stepOf,
} from '#shared/inflation-rule.ts';
import { addMonths } from '#shared/release-calendar.ts';
import type { View } from '../view.ts';
import type { Part } from './levels.ts';
import { newestPeriod, tenths, yearly } from './rates.ts';

type Term = InflationReading['terms'][number];

const PLACES: Readonly<Record<Scored, readonly [Indicator, Part]>> = {
  cpi: ['cpi', 'headline'],
  coreCPI: ['cpi', 'core'],
  pce: ['pce', 'headline'],
  corePCE: ['pce', 'core'],
  ppi: ['ppi', 'headline'],
  corePPI: ['ppi', 'core'],
};

function termOf(view: View, series: Scored, expectations: Expectations, at: Date): Term {
  const [type, part] = PLACES[series];
  const weight = SENTIMENT_WEIGHTS[series];
  const { actual, consensus, surprise } = expectations[type][part];
  const period = newestPeriod(view.levels, type, at);
  const base = { series, name: SCORED_NAMES[series], period, weight };
  if (surprise !== null)
    return {
      ...base,
      actual,
      expected: consensus,
      surprise,
      contribution: contributionOf(surprise, weight),
      instead: null,
    };
  const nothing = { ...base, actual, expected: null, surprise: null, contribution: 0 };
  if (!period) return { ...nothing, instead: 'Nothing is known of it yet' };
  const [now, before] = [period, addMonths(period, -1)].map((of) => yearly(view.levels, type, part, of, at));
  if (now?.value == null || before?.value == null) {
    const gap = [now, before].find((rate) => rate?.value === null);
    const why = gap?.value === null ? gap.reason : 'it is not known';
    return { ...nothing, instead: `No consensus, and no change of the year-over-year rate: ${why}` };
  }
  const change = tenths(now.value - before.value);
  return {
    ...base,
    actual: now.value,
    expected: before.value,
    surprise: change,
    contribution: contributionOf(change, weight),
    instead: `No consensus: the change of the year-over-year rate, from ${before.value} % to ${now.value} %`,
  };
}

const SAYS = [
  'Inflation came in well below what was expected: that takes pressure off interest rates and speaks strongly for prices of risk.',
  'Inflation came in below what was expected, which speaks for prices of risk.',
  'Inflation came in a little below what was expected.',
  'Inflation came in about as expected.',
  'Inflation came in a little above what was expected.',
  'Inflation came in above what was expected, which speaks against prices of risk.',
  'Inflation came in well above what was expected: that puts pressure on interest rates and speaks strongly against prices of risk.',
] as const;

/** The newest surprises as one score, by the rule of docs/glossary.md. */
export function sentimentOf(view: View, expectations: Expectations, at: Date): InflationReading {
  const terms = SCORED.map((series) => termOf(view, series, expectations, at));
  const surprises = Object.fromEntries(terms.map(({ series, surprise }) => [series, surprise])) as Record<
    Scored,
    number | null
  >;
  const score = scoreOf(surprises, SENTIMENT_WEIGHTS);
  const parts = terms.map(({ name, surprise, weight }) => `${name} ${surprise ?? 'unknown'} × ${weight}`).join(', ');
  if (score === null) {
    const reason = 'No release is known that could be compared with anything';
    return {
      sentiment: null,
      score,
      marketImpact: null,
      terms,
      meta: { score: { metric: 'inflation.sentiment', reason } },
    };
  }
  const impact = (asset: keyof typeof IMPACT_WEIGHTS) =>
    IMPACT_STEPS[stepOf(scoreOf(surprises, IMPACT_WEIGHTS[asset]) ?? 0)];
  const origins = SCORED.map((series) => expectations[PLACES[series][0]][PLACES[series][1]].meta['actual']).flatMap(
    (meta) => (meta && 'source' in meta ? [meta] : []),
  );
  const newest = origins.toSorted((a, b) => b.observedAt.localeCompare(a.observedAt))[0];
  return {
    sentiment: SENTIMENT_STEPS[stepOf(score)],
    score,
    marketImpact: {
      crypto: impact('crypto'),
      stocks: impact('stocks'),
      bonds: impact('bonds'),
      description: SAYS[stepOf(score)],
    },
    terms,
    meta: newest
      ? {
          score: {
            ...newest,
            source: 'Meridian',
            metric: 'inflation.sentiment',
            method: origins.some(({ method }) => method === 'demo') ? 'demo' : 'computed',
            terms: `−Σ clamp(surprise ÷ 0.1, −2, 2) × weight: ${parts}`,
          },
        }
      : { score: { metric: 'inflation.sentiment', reason: 'The figures behind it are gone' } },
  };
}

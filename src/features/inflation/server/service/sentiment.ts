import type { Expectations, Indicator, InflationReading } from '#features/inflation/contract.ts';
import {
  computeContribution,
  computeScore,
  IMPACT_STEPS,
  IMPACT_WEIGHTS,
  SCORED,
  SCORED_NAMES,
  type Scored,
  SENTIMENT_STEPS,
  SENTIMENT_WEIGHTS,
  scoreStep,
} from '#shared/inflation-rule.ts';
import { addMonths } from '#shared/release-calendar.ts';
import type { View } from '../view.ts';
import { newestPeriod, type Part, tenths, yearly } from './rates.ts';

type Term = InflationReading['terms'][number];

const PLACES: Readonly<Record<Scored, readonly [Indicator, Part]>> = {
  cpi: ['cpi', 'headline'],
  coreCPI: ['cpi', 'core'],
  pce: ['pce', 'headline'],
  corePCE: ['pce', 'core'],
  ppi: ['ppi', 'headline'],
  corePPI: ['ppi', 'core'],
};

/** The reference of a figure, as named in the sentence. */
type Reference = 'the consensus' | 'the Cleveland Fed nowcast' | 'the previous month';
type Compared = { term: Term; series: Scored; difference: number | null; reference: Reference | null };

function compare(view: View, series: Scored, expectations: Expectations, at: Date): Compared {
  const [type, part] = PLACES[series];
  const weight = SENTIMENT_WEIGHTS[series];
  const { actual, consensus, nowcast, surprise } = expectations[type][part];
  const period = newestPeriod(view.levels, type, at);
  const base = { series, name: SCORED_NAMES[series], period, weight };
  if (surprise !== null) {
    const contribution = computeContribution(surprise, weight);
    const [reference, instead] =
      consensus === null
        ? (['the Cleveland Fed nowcast', 'No consensus: compared with the Cleveland Fed nowcast'] as const)
        : (['the consensus', null] as const);
    const term = { ...base, actual, expected: consensus ?? nowcast, surprise, contribution, instead };
    return { term, series, difference: surprise, reference };
  }
  const nothing = { ...base, actual, expected: null, surprise: null, contribution: 0 };
  const without = (instead: string): Compared => ({
    term: { ...nothing, instead },
    series,
    difference: null,
    reference: null,
  });
  if (!period) return without('No data yet');
  const [now, before] = [period, addMonths(period, -1)].map((of) => yearly(view.levels, type, part, of, at));
  if (now?.value == null || before?.value == null) {
    const gap = [now, before].find((rate) => rate?.value === null);
    const why = gap?.value === null ? gap.reason : 'not available';
    return without(`No expectation, and no change of the year-over-year rate: ${why}`);
  }
  const difference = tenths(now.value - before.value);
  const term = {
    ...nothing,
    actual: now.value,
    contribution: computeContribution(difference, weight),
    instead: `No expectation: compared with the previous month, ${before.value}% to ${now.value}% year over year`,
  };
  return { term, series, difference, reference: 'the previous month' };
}

const CAME_IN = [
  ['well below', ', which eases pressure on interest rates and strongly supports risk assets.'],
  ['below', ', which supports risk assets.'],
  ['slightly below', '.'],
  ['in line with', '.'],
  ['slightly above', '.'],
  ['above', ', which weighs on risk assets.'],
  ['well above', ', which puts pressure on interest rates and weighs heavily on risk assets.'],
] as const;

/** "Inflation came in slightly above the Cleveland Fed nowcast.": every reference is named, none is called expected. */
function sentimentText(score: number, compared: readonly Compared[]): string {
  const [place, consequence] = CAME_IN[scoreStep(score)];
  const references = [...new Set(compared.flatMap(({ reference }) => reference ?? []))];
  return `Inflation came in ${place} ${references.join(' and ')}${consequence}`;
}

/** The newest surprises as one score, by the rule of `inflation.sentiment` in the glossary. */
export function computeSentiment(view: View, expectations: Expectations, at: Date): InflationReading {
  const compared = SCORED.map((series) => compare(view, series, expectations, at));
  const terms = compared.map(({ term }) => term);
  const differences = Object.fromEntries(compared.map(({ series, difference }) => [series, difference])) as Record<
    Scored,
    number | null
  >;
  const score = computeScore(differences, SENTIMENT_WEIGHTS);
  const parts = compared
    .map(({ term: { name, weight }, difference }) => `${name} ${difference ?? 'unknown'} × ${weight}`)
    .join(', ');
  if (score === null) {
    const reason = 'No release available for comparison';
    return {
      sentiment: null,
      score,
      marketImpact: null,
      terms,
      meta: { score: { metric: 'inflation.sentiment', reason } },
    };
  }
  const impact = (asset: keyof typeof IMPACT_WEIGHTS) =>
    IMPACT_STEPS[scoreStep(computeScore(differences, IMPACT_WEIGHTS[asset]) ?? 0)];
  const origins = SCORED.map((series) => expectations[PLACES[series][0]][PLACES[series][1]].meta['actual']).flatMap(
    (meta) => (meta && 'source' in meta ? [meta] : []),
  );
  const newest = origins.toSorted((a, b) => b.observedAt.localeCompare(a.observedAt))[0];
  return {
    sentiment: SENTIMENT_STEPS[scoreStep(score)],
    score,
    marketImpact: {
      crypto: impact('crypto'),
      stocks: impact('stocks'),
      bonds: impact('bonds'),
      description: sentimentText(score, compared),
    },
    terms,
    meta: newest
      ? {
          score: {
            ...newest,
            source: 'Meridian',
            metric: 'inflation.sentiment',
            method: origins.some(({ method }) => method === 'demo') ? 'demo' : 'computed',
            terms: `−Σ clamp(difference ÷ 0.1, −2, 2) × weight: ${parts}`,
          },
        }
      : { score: { metric: 'inflation.sentiment', reason: 'The underlying figures are no longer available' } },
  };
}

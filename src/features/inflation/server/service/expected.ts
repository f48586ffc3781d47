import type { Expectation, Expectations, Indicator } from '#features/inflation/contract.ts';
import { hasOrigin } from '#shared/figures.ts';
import { addMonths } from '#shared/release-calendar.ts';
import type { Measure } from '../types.ts';
import { findExpected, type View } from '../view.ts';
import { expectedFigure, type Figure, rateFigure, releasedAt, type SourceNaming } from './indicators.ts';
import { monthly, newestPeriod, printed, type Rate, tenths, yearly } from './rates.ts';

const METRICS = { consensus: 'inflation.consensus', nowcast: 'inflation.nowcast', surprise: 'inflation.surprise' };
const NOTHING: Rate = { value: null, reason: 'No release available yet' };
const NO_NOWCAST: Partial<Record<Indicator, string>> = { ppi: 'The nowcast does not cover producer prices' };

export type Known = { consensusOn: boolean; nameOf: SourceNaming };

/** Null when unknown: the newest release is compared with the expectation just before it. */
function toExpectation(
  view: View,
  type: Indicator,
  measure: Measure,
  at: Date,
  { consensusOn, nameOf }: Known,
): Expectation {
  const { levels } = view;
  const part = measure === 'core' ? 'core' : 'headline';
  const period = newestPeriod(levels, type, at);
  const released = period ? releasedAt(view, type, period) : null;
  const before = released ?? at;
  const toRate = (of: string): Rate =>
    measure === 'yoy'
      ? yearly(levels, type, part, of, at)
      : of === period
        ? (printed(levels, type, part, of) ?? monthly(levels, type, part, of, at))
        : monthly(levels, type, part, of, at);
  const actual = period ? toRate(period) : NOTHING;
  const previous = period ? toRate(addMonths(period, -1)) : NOTHING;
  const kind = (name: 'consensus' | 'nowcast') =>
    period ? findExpected(view, { type, measure, period, kind: name }, before) : undefined;
  const staleAfter = new Date(before.getTime() + 40 * 86_400_000);
  const noConsensus = consensusOn
    ? 'The calendar had no consensus for this figure'
    : 'No consensus source is configured: see CONSENSUS_CALENDAR';
  const noNowcast =
    NO_NOWCAST[type] ??
    (measure === 'yoy' ? 'The nowcast covers monthly rates only' : 'The nowcast did not cover this month');
  const metric = measure === 'yoy' ? 'inflation.yoy' : 'inflation.mom';
  const figures: Record<string, Figure> & Record<'consensus' | 'nowcast' | 'actual', Figure> = {
    consensus: expectedFigure(kind('consensus'), METRICS.consensus, staleAfter, noConsensus, nameOf),
    nowcast: expectedFigure(kind('nowcast'), METRICS.nowcast, staleAfter, noNowcast, nameOf),
    previous: rateFigure(previous, type, metric, nameOf),
    actual: rateFigure(actual, type, metric, nameOf),
  };
  figures['surprise'] = computeSurprise(figures);
  return {
    ...Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value])),
    meta: Object.fromEntries(Object.entries(figures).map(([name, { meta }]) => [name, meta])),
  } as Expectation;
}

/** Relative to the consensus, else to the nowcast. */
function computeSurprise({ consensus, nowcast, actual }: Record<'consensus' | 'nowcast' | 'actual', Figure>): Figure {
  const metric = METRICS.surprise;
  const [name, expected] = consensus.value === null ? ['nowcast', nowcast] : ['consensus', consensus];
  if (expected.value === null || actual.value === null || !hasOrigin(actual.meta) || !hasOrigin(expected.meta)) {
    const reason = expected.value === null ? 'No surprise without a consensus or a nowcast' : 'No figure to compare';
    return { value: null, meta: { metric, reason } };
  }
  const method = actual.meta.method === 'demo' || expected.meta.method === 'demo' ? 'demo' : 'computed';
  const terms = `actual ${actual.value}% − ${name} ${expected.value}% (${expected.meta.source})`;
  return { value: tenths(actual.value - expected.value), meta: { ...actual.meta, metric, method, terms } };
}

export function readExpectationsAt(view: View, at: Date, known: Known): Expectations {
  const of = (type: Indicator, measure: Measure) => toExpectation(view, type, measure, at, known);
  const months = (type: Indicator) => ({ headline: of(type, 'headline'), core: of(type, 'core') });
  return { cpi: months('cpi'), pce: months('pce'), ppi: { ...months('ppi'), yoy: of('ppi', 'yoy') } };
}

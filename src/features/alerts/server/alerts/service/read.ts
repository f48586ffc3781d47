import type { AiAnalysis } from '#features/analysis/contract/analysis.ts';
import type { Print } from '#features/inflation/server/service.ts';
import type { DailyPoint, MetricsView } from '#features/market/server/metrics/service.ts';
import { hasOrigin } from '#shared/figures.ts';

import type { Known, PrintReading, Reading, WithPast } from '../reading.ts';

export const DAY_MS = 86_400_000;
/** After that a print is no news. */
const PRINT_NEWS_MS = 2 * DAY_MS;
const LIQUIDATION_DAYS = 30;
/** Fewer hours heard of a day are not that day's liquidations. */
const FEWEST_HOURS = 20;

/** A figure that is there and not stale at `at`. */
export function knownOf(view: MetricsView, metric: string, at: Date): Known | null {
  const { value, meta } = view.snapshot.figure(metric);
  if (value === null || !Number.isFinite(value) || !hasOrigin(meta) || new Date(meta.staleAfter) < at) return null;
  const { source, method, observedAt, fetchedAt } = meta;
  return { value, source, method, sourceAt: new Date(observedAt), receivedAt: earlier(new Date(fetchedAt), at) };
}

/** What the demo's past was read from was fetched later than it was true. */
const earlier = (a: Date, b: Date) => (a < b ? a : b);

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Values of the days before the figure's own. */
function withPast(known: Known | null, series: readonly DailyPoint[] | undefined, days: number): WithPast | null {
  if (!known) return null;
  const own = dayOf(known.sourceAt);
  const first = dayOf(new Date(known.sourceAt.getTime() - days * DAY_MS));
  const past = (series ?? []).filter(({ day }) => day < own && day >= first).map(({ value }) => value);
  return { ...known, past };
}

export const PAST_METRICS = ['flow.btc.net', 'flow.eth.net', 'stablecoins.supply', 'liquidations.total'] as const;
export const PAST_DAYS = 92;

type Figures = Pick<Reading, 'flows' | 'stablecoins' | 'dominance' | 'ssr' | 'funding' | 'liquidations' | 'fearGreed'>;

export function figuresOf(view: MetricsView, past: ReadonlyMap<string, DailyPoint[]>, at: Date): Figures {
  const { snapshot } = view;
  const known = (metric: string) => knownOf(view, metric, at);
  const supply = known('stablecoins.supply');
  const weekAgo =
    supply &&
    past.get('stablecoins.supply')?.find(({ day }) => day === dayOf(new Date(supply.sourceAt.getTime() - 7 * DAY_MS)));
  const share = known('dominance.btc');
  const change = snapshot.change('dominance.btc', 'points').value;
  const hours = snapshot.find('liquidations.total')?.detail?.collectedHours ?? 0;
  return {
    flows: {
      btc: withPast(known('flow.btc.net'), past.get('flow.btc.net'), 90),
      eth: withPast(known('flow.eth.net'), past.get('flow.eth.net'), 90),
    },
    stablecoins: supply && weekAgo ? { ...supply, weekAgo: weekAgo.value } : null,
    dominance: share && change !== null ? { ...share, change } : null,
    ssr: known('ssr'),
    funding: known('funding.market'),
    liquidations:
      hours < FEWEST_HOURS
        ? null
        : withPast(known('liquidations.total'), past.get('liquidations.total'), LIQUIDATION_DAYS),
    fearGreed: known('fear_greed'),
  };
}

export function consensusOf(analysis: AiAnalysis | null, at: Date): Reading['consensus'] {
  if (!analysis || new Date(analysis.meta.staleAfter) < at) return null;
  const { overall_direction, overall_confidence, providers, meta } = analysis;
  return {
    value: overall_confidence,
    direction: overall_direction,
    opinions: Object.keys(providers).length,
    source: meta.source,
    method: meta.method,
    sourceAt: new Date(meta.observedAt),
    receivedAt: new Date(meta.fetchedAt),
  };
}

/** The newest release of a kind, as long as it is news. A figure that was not printed yet says nothing about the next. */
export function printOf(
  type: PrintReading['type'],
  prints: readonly Print[],
  method: Known['method'],
  at: Date,
): PrintReading | null {
  const newest = prints.findLast(({ releasedAt }) => releasedAt <= at);
  if (!newest || at.getTime() - newest.releasedAt.getTime() > PRINT_NEWS_MS) return null;
  const { actual, isFirstPrint, consensus, nowcast, previous, period, releasedAt } = newest;
  const basis = consensus !== null ? 'consensus' : nowcast !== null ? 'nowcast' : 'previous';
  const expected = consensus ?? nowcast ?? previous;
  if (actual === null || !isFirstPrint || expected === null) return null;
  const source = type === 'pce' ? 'Bureau of Economic Analysis' : 'Bureau of Labor Statistics';
  return { type, period, value: actual, expected, basis, source, method, sourceAt: releasedAt, receivedAt: at };
}

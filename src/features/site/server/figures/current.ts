import type { LatestInflation, YearGap } from '#features/inflation/contract.ts';
import type { Inflation } from '#features/inflation/server/service.ts';
import { type Market, readCoin } from '#features/market/server/market/service.ts';

import type { Figure, Metrics } from '#features/market/server/metrics/service.ts';
import { readAllNarratives } from '#features/market/server/narratives/service.ts';
import type { FigurePage } from '#features/site/contract/figures.ts';
import {
  type CoinFigure,
  type NarrativeFigure,
  PAGED_FIGURES,
  type PagedFigure,
  parseCoinFigure,
  parseNarrativeFigure,
} from '#shared/figure-pages.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { dateTime } from '#shared/format.ts';
import type { Term } from '#shared/glossary/term.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import type { Provenance } from '#shared/provenance.ts';
import { compareSources, distances, toProvenance } from './compare.ts';

export type FigureDeps = {
  now: () => Date;
  market: Market;
  metrics: Metrics;
  inflation: Pick<Inflation, 'latest'>;
};

/** A current figure without its history. */
export type CurrentFigure = Omit<FigurePage, 'timestamp' | 'history'>;

/** Metrics with a meaningful 24h change. */
const CHANGES: Readonly<Record<string, 'percent' | 'points'>> = {
  'dominance.btc': 'points',
  'market.cap': 'percent',
  'market.volume': 'percent',
  'stablecoins.supply': 'percent',
};

const worded = ({ unit, meaning, formula, reading }: Term) => ({
  unit,
  meaning,
  formula,
  ...(reading === undefined ? {} : { reading }),
});

const NO_CHANGE = 'No 24h change is computed for this figure';

function withChange(metric: string, value: Figure, change: Figure | null) {
  const none: Figure = { value: null, meta: { metric, reason: NO_CHANGE } };
  const { value: change_24h, meta } = change ?? none;
  return { value: value.value, change_24h, meta: { value: value.meta, change_24h: meta } };
}

function metricFigure({ metrics }: FigureDeps, metric: string, { name, term }: PagedFigure): CurrentFigure {
  const { snapshot } = metrics.current();
  const kind = CHANGES[metric];
  return {
    metric,
    name,
    ...worded(term),
    ...withChange(metric, snapshot.figure(metric), kind ? snapshot.change(metric, kind) : null),
    note: null,
    ...compareSources(snapshot, metric),
  };
}

/** A figure with a single source. */
const ownSource = (value: number | null, meta: FigureMeta): FigurePage['sources'] =>
  hasOrigin(meta) && value !== null
    ? [{ source: meta.source, value, difference: 0, isShown: true, meta: toProvenance(meta) }]
    : [];

/** The newest rate when that of the newest month cannot be computed. */
function gapText(gap: YearGap | undefined): string {
  if (gap?.newestYoY == null || gap.newestPeriod === null) return '';
  const [, month = ''] = /^1 (\w+ \d+)/.exec(dateTime(Date.parse(`${gap.newestPeriod}-01`))) ?? [];
  return `The newest rate that can be computed is ${gap.newestYoY.toFixed(1)}% for ${month}.`;
}

/** Field of a rate in the inflation response. */
export const rateField = ({ indicator, isCore, rate }: PagedFigure & { kind: 'inflation' }) => {
  const series = isCore ? `core${indicator.toUpperCase()}` : indicator;
  return { series, field: `${series}${rate === 'mom' ? 'MoM' : 'YoY'}` };
};

type Release = Record<string, number | null> & Pick<NonNullable<LatestInflation['cpi']>, 'meta' | 'gaps'>;

function inflationFigure(
  latest: LatestInflation,
  metric: string,
  page: PagedFigure & { kind: 'inflation' },
): CurrentFigure {
  const release = latest[page.indicator] as Release | null;
  const { field } = rateField(page);
  const meta = release?.meta[field] ?? { metric, reason: 'No release has been collected yet' };
  const value = release?.[field] ?? null;
  return {
    metric,
    name: page.name,
    ...worded(page.term),
    ...withChange(metric, { value, meta: { ...meta, metric } }, null),
    note: [gapText(release?.gaps[field]), latest.note].filter(Boolean).join(' ') || null,
    comparison: 'points',
    sources: ownSource(value, meta),
  };
}

type Coin = NonNullable<Awaited<ReturnType<typeof readCoin>>>['coin'];

type Listed = Provenance & { terms?: string };

/** The method of a listing is that of the market cap; its volume is the source’s own. */
function volumeOrigin({ listing, meta }: Coin): Listed {
  if (listing.method !== 'computed') return listing;
  return { ...listing, method: listing.observedAt === meta.observedAt ? meta.method : 'measured' };
}

/** Fields of a coin and of its quotes, with their provenance. */
const OF_COIN: Readonly<
  Record<
    CoinFigure,
    { term: string; name: string; field: 'price' | 'market_cap' | 'volume_24h'; originIn: (coin: Coin) => Listed }
  >
> = {
  price: { term: 'coin.price', name: 'price', field: 'price', originIn: ({ meta }) => meta },
  cap: {
    term: 'coin.cap',
    name: 'market cap',
    field: 'market_cap',
    originIn: ({ listing }) =>
      listing.method === 'computed' ? { ...listing, terms: 'price × circulating supply' } : listing,
  },
  volume: { term: 'coin.volume', name: '24h volume', field: 'volume_24h', originIn: volumeOrigin },
};

const NOT_GIVEN = 'No source provides it for this coin';

async function coinFigure(
  { market, now }: FigureDeps,
  metric: string,
  { figure, id }: { figure: CoinFigure; id: string },
): Promise<CurrentFigure | undefined> {
  const found = await readCoin(market.ctx, id);
  if (!found) return undefined;
  const { coin, quotes } = found;
  const { term, name, field, originIn } = OF_COIN[figure];
  const value = coin[field];
  const meta = originIn(coin);
  const change = figure === 'price' ? coin.change_24h : null;
  // The board may have a newer value of a source than the database.
  const known = quotes.flatMap(({ source, [field]: quoted, meta: own }) => {
    if (value !== null && source === meta.source) return [{ source, value, meta: toProvenance(meta) }];
    return quoted === null ? [] : [{ source, value: quoted, meta: own }];
  });
  const given = (of: number | null, metric: string): FigureMeta =>
    of === null ? { metric, reason: NOT_GIVEN } : { ...meta, metric };
  return {
    metric,
    name: `${coin.name} ${name}`,
    ...worded(GLOSSARY[term] as Term),
    value,
    change_24h: change,
    meta: {
      value: given(value, metric),
      change_24h: figure === 'price' ? given(change, 'coin.change') : { metric, reason: NO_CHANGE },
    },
    note: null,
    comparison: 'percent',
    sources: distances(value, meta.source, known, 'percent', now()),
  };
}

function narrativeFigure(
  { metrics }: FigureDeps,
  metric: string,
  { figure, id }: { figure: NarrativeFigure; id: string },
): CurrentFigure | undefined {
  const found = readAllNarratives(metrics.current().snapshot).find((each) => each.id === id);
  if (!found) return undefined;
  const term = GLOSSARY[`narrative.${figure}`] as Term;
  const { total_volume_24h, avg_change_24h, relevance_score, market_insights, meta } = found;
  const [value, born] = {
    volume: [total_volume_24h, meta['total_volume_24h']],
    change: [avg_change_24h, meta['avg_change_24h']],
    relevance: [relevance_score, meta['relevance_score']],
    opportunity: [market_insights.opportunity_score, meta['relevance_score']],
  }[figure] as [number | null, FigureMeta | undefined];
  const origin: FigureMeta =
    value !== null && hasOrigin(born)
      ? { ...born, metric }
      : { metric, reason: born && !hasOrigin(born) ? born.reason : 'Not enough history yet' };
  return {
    metric,
    name: `${found.narrative}, ${term.name.replace('Narrative ', '').toLowerCase()}`,
    ...worded(term),
    ...withChange(metric, { value, meta: origin }, null),
    note: null,
    comparison: 'percent',
    sources: ownSource(value, origin),
  };
}

/** Undefined for a figure without a page. */
export async function findFigure(deps: FigureDeps, metric: string): Promise<CurrentFigure | undefined> {
  const ofCoin = parseCoinFigure(metric);
  if (ofCoin) return coinFigure(deps, metric, ofCoin);
  const ofNarrative = parseNarrativeFigure(metric);
  if (ofNarrative) return narrativeFigure(deps, metric, ofNarrative);
  const page = PAGED_FIGURES.get(metric);
  if (!page) return undefined;
  return page.kind === 'inflation'
    ? inflationFigure(deps.inflation.latest(), metric, page)
    : metricFigure(deps, metric, page);
}

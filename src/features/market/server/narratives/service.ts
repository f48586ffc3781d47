import type { Narrative, TrendingNarratives } from '#features/market/contract/narratives.ts';
import {
  changeMetric,
  group,
  NARRATIVE,
  type NarrativeDetail,
  type NarrativeFacts,
  narrativeDetail,
  narrativeFacts,
  parseCategory,
  type Snapshot,
  type StoredObservation,
} from '#features/market/server/metrics/service.ts';
import type { FigureMeta } from '#shared/figures.ts';
import { compact, percent } from '#shared/format.ts';
import {
  classifyRisk,
  classifySentiment,
  computeOpportunity,
  computeRelevance,
  LEAST_VOLUME_DAYS,
  rankNormalised,
} from './formulas.ts';

const share = (value: number) => `${(value * 100).toFixed(1)}%`;
const sigma = (value: number) => `${value < 0 ? '\u2212' : '+'}${Math.abs(value).toFixed(1)}σ`;

function moved(change: number): string {
  if (Math.abs(change) < 0.05) return 'Flat';
  return `${change > 0 ? 'Up' : 'Down'} ${Math.abs(change).toFixed(1)}%`;
}

/** 'Up 3.2% vs. +0.4% for the market (+1.7σ). 4 of 5 coins rising.' */
function trendSentence(change: number, facts: NarrativeFacts): string {
  const { market_change_24h: market, relative_sigma: distance, rising, known } = facts;
  const against = market === null ? '' : ` vs. ${percent(market, 1)} for the market`;
  const distanceText = distance === null ? '' : ` (${sigma(distance)})`;
  const breadth = known === 0 ? '' : ` ${rising} of ${known} coins rising.`;
  return `${moved(change)}${against}${distanceText}.${breadth}`;
}

/** '$3.12B in 24h, 2.1% of total volume, +1.4σ vs. its 30-day average' */
function volumeSentence(volume: number, facts: NarrativeFacts | null): string {
  const traded = `$${compact(volume)} in 24h`;
  if (!facts) return traded;
  const { volume_share, volume_z: z, volume_days: days } = facts;
  const part = volume_share === null ? '' : `, ${share(volume_share)} of total volume`;
  if (z !== null) return `${traded}${part}, ${sigma(z)} vs. its ${days}-day average`;
  if (days >= LEAST_VOLUME_DAYS) return traded + part;
  return `${traded}${part}; ${days} of ${LEAST_VOLUME_DAYS} days needed for a baseline`;
}

const SHOWN = 10;
const COINS = 5;
/** A narrative last read this much earlier than the rest is no longer followed. */
const SAME_READING_MS = 2 * 3_600_000;
const VOLUME_DAYS = 30;

type Known = {
  id: string;
  row: StoredObservation;
  detail: NarrativeDetail;
  /** Our own computation for this reading. */
  own: { row: StoredObservation; facts: NarrativeFacts } | null;
};
type Ranks = Record<'share' | 'volume' | 'breadth' | 'volatility', number | null>;

const composed = new WeakMap<Snapshot, Narrative[]>();

/** The ten most relevant narratives as known at the snapshot's moment. */
export const composeNarratives = ({ snapshot }: { snapshot: Snapshot }): TrendingNarratives => ({
  timestamp: snapshot.at.toISOString(),
  narratives: readAllNarratives(snapshot).slice(0, SHOWN),
});

/** Every narrative, the most relevant first. */
export function readAllNarratives(snapshot: Snapshot): Narrative[] {
  const before = composed.get(snapshot);
  if (before) return before;
  const known = readAll(snapshot);
  const ranks = rank(known);
  const narratives = known
    .map((each, i) => toNarrative(each, ranks[i] as Ranks, snapshot))
    .toSorted(
      (a, b) =>
        (b.relevance_score ?? -1) - (a.relevance_score ?? -1) || (b.total_volume_24h ?? 0) - (a.total_volume_24h ?? 0),
    );
  composed.set(snapshot, narratives);
  return narratives;
}

function readAll(snapshot: Snapshot): Known[] {
  const all = snapshot.named(NARRATIVE).flatMap((metric): Known[] => {
    const id = parseCategory(metric);
    const row = snapshot.find(metric);
    if (id === undefined || !row) return [];
    const detail = narrativeDetail.safeParse(row.detail);
    if (!detail.success) return [];
    const computed = snapshot.find(changeMetric(id));
    const facts = narrativeFacts.safeParse(computed?.detail);
    const isOfThis = computed?.observed_at === row.observed_at;
    return [
      { id, row, detail: detail.data, own: isOfThis && facts.success ? { row: computed, facts: facts.data } : null },
    ];
  });
  const newest = Math.max(...all.map(({ row }) => Date.parse(row.observed_at)));
  return all.filter(({ row }) => newest - Date.parse(row.observed_at) <= SAME_READING_MS);
}

function rank(known: Known[]): Ranks[] {
  const rankBy = (term: 'volume_share' | 'volume_z' | 'breadth' | 'volatility') =>
    rankNormalised(known.map(({ own }) => own?.facts[term] ?? null));
  const [share, volume, breadth, volatility] = [
    rankBy('volume_share'),
    rankBy('volume_z'),
    rankBy('breadth'),
    rankBy('volatility'),
  ];
  return known.map((_, i) => ({
    share: share[i] ?? null,
    volume: volume[i] ?? null,
    breadth: breadth[i] ?? null,
    volatility: volatility[i] ?? null,
  }));
}

const NOT_YET = 'Collected but not computed yet';

function toNarrative({ id, row, detail, own }: Known, ranks: Ranks, snapshot: Snapshot): Narrative {
  const facts = own?.facts ?? null;
  const relevance = computeRelevance([ranks.share, ranks.volume, ranks.breadth]);
  const sigma = facts?.relative_sigma ?? null;
  const terms = { relevance, relativeSigma: sigma, breadth: facts?.breadth ?? null, volatilityRank: ranks.volatility };
  return {
    id,
    narrative: detail.name,
    sentiment: classifySentiment(sigma),
    coins: detail.coins.slice(0, COINS).map((coin) => toCoin(coin, row, detail.coins_at, snapshot)),
    ...group({
      total_volume_24h: { value: row.value, meta: snapshot.provenance(row, 'narrative.volume') },
      avg_change_24h: { value: own?.row.value ?? null, meta: changeMeta(own, detail, snapshot) },
      relevance_score: { value: relevance, meta: relevanceMeta(own, ranks, relevance, snapshot) },
    }),
    market_insights: {
      trend_analysis: own ? trendSentence(own.row.value, own.facts) : NOT_YET,
      volume_analysis: volumeSentence(row.value, facts),
      risk_level: classifyRisk(ranks.volatility),
      opportunity_score: computeOpportunity(terms),
    },
    terms: {
      relative_sigma: sigma,
      volume_share: facts?.volume_share ?? null,
      volume_z: facts?.volume_z ?? null,
      breadth: facts?.breadth ?? null,
      volatility: facts?.volatility ?? null,
    },
  };
}

function toCoin(
  { symbol, name, price, change_24h }: NarrativeDetail['coins'][number],
  row: StoredObservation,
  readAt: string,
  { provenance }: Snapshot,
): Narrative['coins'][number] {
  const read = { ...row, observed_at: readAt, fetched_at: readAt };
  const change: FigureMeta =
    change_24h === null
      ? { metric: 'coin.change', reason: 'Not provided by the source' }
      : provenance(read, 'coin.change');
  return {
    coin_symbol: symbol,
    coin_name: name,
    ...group({
      price_usd: { value: price, meta: provenance(read, 'coin.price') },
      change_24h: { value: change_24h, meta: change },
    }),
  };
}

function changeMeta(own: Known['own'], detail: NarrativeDetail, { provenance }: Snapshot): FigureMeta {
  if (!own) return { metric: 'narrative.change', reason: NOT_YET };
  const oldest = own.row.observed_at < detail.coins_at ? own.row.observed_at : detail.coins_at;
  const terms = `Cap-weighted over ${own.facts.known} coins`;
  return { ...provenance({ ...own.row, observed_at: oldest }, 'narrative.change'), terms };
}

function relevanceMeta(
  own: Known['own'],
  ranks: Ranks,
  relevance: number | null,
  { provenance }: Snapshot,
): FigureMeta {
  if (!own || relevance === null) return { metric: 'narrative.relevance', reason: NOT_YET };
  const named: [string, number | null][] = [
    ['volume share', ranks.share],
    ['abnormal volume', ranks.volume],
    ['breadth', ranks.breadth],
  ];
  const terms = named
    .map(([name, place]) => `${name} rank ${place === null ? 'unknown' : place.toFixed(2)}`)
    .join(', ');
  const { volume_days: days } = own.facts;
  return { ...provenance(own.row, 'narrative.relevance'), terms, ...(days < VOLUME_DAYS ? { historyDays: days } : {}) };
}

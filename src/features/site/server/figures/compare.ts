import { FUTURES_ASSETS } from '#features/market/server/metrics/futures.ts';
import type { Snapshot, StoredObservation } from '#features/market/server/metrics/service.ts';
import type { FigurePage, FigureSource } from '#features/site/contract/figures.ts';
import type { Provenance } from '#shared/provenance.ts';

/** Source and age only. */
export const toProvenance = ({ source, observedAt, fetchedAt, method, staleAfter }: Provenance): Provenance => ({
  source,
  observedAt,
  fetchedAt,
  method,
  staleAfter,
});

type Compared = Pick<FigurePage, 'comparison' | 'sources'>;
export type Quote = { source: string; value: number; meta: Provenance };

/** Distance of each quote from the figure; a stale one is listed without it. */
export function distances(
  value: number | null,
  shown: string | undefined,
  quotes: readonly Quote[],
  comparison: 'percent' | 'points',
  at: Date,
): FigureSource[] {
  return quotes.map(({ source, value: quoted, meta }) => {
    const isStale = at.getTime() > Date.parse(meta.staleAfter);
    const isComparable = value !== null && !isStale && (comparison === 'points' || value !== 0);
    const distance = comparison === 'points' ? quoted - (value ?? 0) : (quoted / (value ?? 0) - 1) * 100;
    return { source, value: quoted, difference: isComparable ? distance : null, isShown: source === shown, meta };
  });
}

type Venue = Quote & { weight: number };

/** Each venue's figure for the assets: open interest as a sum, funding as a mean weighted by open interest. */
function listVenues(snapshot: Snapshot, kind: 'oi' | 'funding', assets: readonly string[]): Venue[] {
  const { all, provenance } = snapshot;
  const interest = (asset: string, source: string) =>
    all(`venue.oi.${asset}`).find((row) => row.source === source)?.value ?? 0;
  const rows = assets.flatMap((asset) =>
    all(`venue.${kind}.${asset}`).map((row) => ({ row, weight: interest(asset, row.source) })),
  );
  const fresh = rows.filter(({ row }) => snapshot.at.getTime() <= Date.parse(provenance(row).staleAfter));
  return [...Map.groupBy(fresh, ({ row }) => row.source).values()].flatMap((own): Venue[] => {
    const [first] = own.toSorted((a, b) => a.row.observed_at.localeCompare(b.row.observed_at));
    const weight = own.reduce((sum, each) => sum + each.weight, 0);
    if (!first || weight === 0) return [];
    const weighted = own.reduce((sum, each) => sum + each.row.value * (each.weight / weight), 0);
    const meta = toProvenance(provenance(first.row));
    return [{ source: meta.source, value: kind === 'oi' ? weight : weighted, meta, weight }];
  });
}

const byValue = (a: Quote, b: Quote) => b.value - a.value;

function toVenueQuote(snapshot: Snapshot, row: StoredObservation): Quote {
  const meta = toProvenance(snapshot.provenance(row));
  return { source: meta.source, value: row.value, meta };
}

/** How the sources of a metric differ, or the venues' shares of a sum. */
export function compareSources(snapshot: Snapshot, metric: string): Compared {
  const row = snapshot.find(metric);
  const value = row?.value ?? null;
  const shown = row && snapshot.nameOf(row.source);
  const [kind = '', part = ''] = metric.split('.');
  if (kind === 'oi' || kind === 'funding') {
    const assets = (FUTURES_ASSETS as readonly string[]).includes(part) ? [part] : FUTURES_ASSETS;
    const venues = listVenues(snapshot, kind, assets).toSorted(byValue);
    if (kind === 'funding')
      return { comparison: 'points', sources: distances(value, undefined, venues, 'points', snapshot.at) };
    const total = venues.reduce((sum, venue) => sum + venue.value, 0);
    const sources = venues.map(({ weight, ...venue }) => ({
      ...venue,
      difference: (weight / total) * 100,
      isShown: false,
    }));
    return { comparison: 'share', sources };
  }
  const comparison = metric === 'dominance.btc' ? 'points' : 'percent';
  const quotes = snapshot.all(metric).map((each) => toVenueQuote(snapshot, each));
  return { comparison, sources: distances(value, shown, quotes.toSorted(byValue), comparison, snapshot.at) };
}

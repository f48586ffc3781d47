import { FUTURES_ASSETS } from '#features/market/server/metrics/futures.ts';
import type { Snapshot } from '#features/market/server/metrics/snapshot.ts';
import type { Observation, StoredObservation } from '#features/market/server/metrics/types.ts';

/** A venue whose figure is older than this is left out of a sum rather than carried along. */
const FRESH_MS = 20 * 60_000;

const oldest = (rows: StoredObservation[]) => new Date(Math.min(...rows.map((row) => Date.parse(row.observed_at))));
const sum = (rows: StoredObservation[]) => rows.reduce((total, { value }) => total + value, 0);
const namesOf = (rows: StoredObservation[]) => [...new Set(rows.map(({ source }) => source))];

/** Open interest summed over the venues that answer, funding as their mean weighted by open interest. */
export function deriveDerivatives(snapshot: Snapshot): Observation[] {
  const fresh = (metric: string) =>
    snapshot.all(metric).filter((row) => snapshot.at.getTime() - Date.parse(row.observed_at) <= FRESH_MS);
  const rows: Observation[] = [];
  const interest = FUTURES_ASSETS.flatMap((asset) => fresh(`venue.oi.${asset}`));
  for (const asset of ['btc', 'eth'] as const) {
    const venues = fresh(`venue.oi.${asset}`);
    if (venues.length > 0) rows.push(openInterest(`oi.${asset}`, venues, `${venues.length} venues`));
    rows.push(...funding(`funding.${asset}`, fresh(`venue.funding.${asset}`), venues));
  }
  if (interest.length > 0) {
    const assets = FUTURES_ASSETS.map((asset) => asset.toUpperCase()).join(', ');
    rows.push(openInterest('oi.total', interest, `${namesOf(interest).length} venues, ${assets}`));
  }
  const rates = FUTURES_ASSETS.flatMap((asset) => fresh(`venue.funding.${asset}`));
  return [...rows, ...funding('funding.market', rates, interest)];
}

function openInterest(metric: string, rows: StoredObservation[], over: string): Observation {
  return {
    metric,
    value: sum(rows),
    observedAt: oldest(rows),
    detail: { venues: namesOf(rows), terms: `Sum over ${over}` },
  };
}

const weightKey = ({ metric, source }: StoredObservation) => `${metric.split('.').at(-1)} ${source}`;

function funding(metric: string, rates: StoredObservation[], interest: StoredObservation[]): Observation[] {
  const weights = new Map(interest.map((row) => [weightKey(row), row.value]));
  const weighed = rates.flatMap((row) => {
    const weight = weights.get(weightKey(row)) ?? 0;
    return weight > 0 ? [{ row, weight }] : [];
  });
  const total = weighed.reduce((all, { weight }) => all + weight, 0);
  if (total === 0) return [];
  const used = weighed.map(({ row }) => row);
  return [
    {
      metric,
      value: weighed.reduce((all, { row, weight }) => all + row.value * (weight / total), 0),
      observedAt: oldest(used),
      detail: { venues: namesOf(used), terms: 'Average of the venues, weighted by open interest' },
    },
  ];
}

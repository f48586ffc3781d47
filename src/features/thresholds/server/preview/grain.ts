import type { Grain } from '#features/thresholds/contract.ts';

const HOUR_MS = 3_600_000;

/** How finely a series is stored, by the usual distance of its values. */
export function grainOf(times: Float64Array, what: 'closes' | 'values'): Grain {
  const gaps = times.subarray(1).map((at, i) => at - (times[i] as number));
  const usual = gaps.toSorted()[Math.floor(gaps.length / 2)] ?? 24 * HOUR_MS;
  if (usual > 3 * HOUR_MS) return `daily ${what}`;
  return what === 'values' && usual < HOUR_MS / 2 ? 'collected values' : `hourly ${what}`;
}

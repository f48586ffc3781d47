import type { Series } from '#server/platform/packed-series.ts';

import type { Tick } from '../engine/types.ts';
import { lastAt } from './search.ts';

export type Named = Series & { name: string };

/** The values of all series in the order of their times, from what each of them was at `from` on. */
export function* ticksOf(series: readonly Named[], from: number): Iterable<Tick> {
  const next = series.map(({ times }) => Math.max(0, lastAt(times, from)));
  for (;;) {
    let first = -1;
    let earliest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < series.length; i++) {
      const at = series[i]?.times[next[i] as number];
      if (at === undefined || at >= earliest) continue;
      first = i;
      earliest = at;
    }
    const each = series[first];
    if (!each) return;
    const place = next[first] as number;
    next[first] = place + 1;
    yield { series: each.name, value: each.values[place] as number, at: earliest };
  }
}

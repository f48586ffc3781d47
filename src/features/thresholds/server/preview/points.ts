import type { Series } from '#server/platform/packed-series.ts';

/** At most `most` points of the line; of each stretch the lowest and the highest stay, in their order. */
export function thinned({ times, values }: Series, most: number): [number, number][] {
  const point = (i: number): [number, number] => [times[i] as number, values[i] as number];
  const count = times.length;
  if (count <= most) return Array.from({ length: count }, (_, i) => point(i));
  const stretches = Math.floor(most / 2);
  const points: [number, number][] = [];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches);
    const to = Math.floor(((stretch + 1) * count) / stretches);
    let [low, high] = [from, from];
    for (let i = from + 1; i < to; i++) {
      if ((values[i] as number) < (values[low] as number)) low = i;
      if ((values[i] as number) > (values[high] as number)) high = i;
    }
    points.push(point(Math.min(low, high)));
    if (low !== high) points.push(point(Math.max(low, high)));
  }
  return points;
}

/** The place of the last time that is not after the moment; −1 when all are. */
export function lastAt(times: Float64Array, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

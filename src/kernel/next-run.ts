/** The next run of a schedule, cached until it is reached: computing it parses expressions for two milliseconds. */
export function createNextRun(find: (from: Date) => Date | null, now: () => Date): () => Date | null {
  let from: Date | null = null;
  let next: Date | null = null;
  return () => {
    const at = now();
    const isStill = from !== null && next !== null && at >= from && at < next;
    if (!isStill) {
      from = at;
      next = find(at);
    }
    return next;
  };
}

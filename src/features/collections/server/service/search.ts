/** The values of a record as people read them, without the names of its fields. */
function* valuesOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value.toLowerCase();
  else if (typeof value === 'number' || typeof value === 'boolean') yield String(value);
  else if (value) for (const each of Object.values(value)) yield* valuesOf(each);
}

export function holds(record: object, q: string): boolean {
  const wanted = q.toLowerCase();
  for (const value of valuesOf(record)) if (value.includes(wanted)) return true;
  return false;
}

export type Found<T> = { records: T[]; found: number; searched: number };

/** Looks through the newest `most` records; keeps the newest `keep` of those that hold the text. */
export async function search<T extends object>(
  pages: AsyncIterable<T[]>,
  { q, most, keep }: { q: string; most: number; keep: number },
): Promise<Found<T>> {
  const records: T[] = [];
  let [found, searched] = [0, 0];
  for await (const page of pages) {
    const rows = page.slice(0, most - searched);
    searched += rows.length;
    for (const record of rows) {
      if (!holds(record, q)) continue;
      found += 1;
      if (records.length < keep) records.push(record);
    }
    if (searched >= most) break;
  }
  return { records, found, searched };
}

/** The newest of all. */
export async function newest<T>(pages: AsyncIterable<T[]>, most: number): Promise<T[]> {
  const records: T[] = [];
  for await (const page of pages) {
    records.push(...page.slice(0, most - records.length));
    if (records.length >= most) break;
  }
  return records;
}

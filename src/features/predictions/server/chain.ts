import { createHash } from 'node:crypto';

export type EntryKind = 'call' | 'outcome' | 'void' | 'missing';
export type LedgerEntry = { seq: number; recorded_at: string; kind: EntryKind; body: string; hash: string };

/** What the first entry follows. */
export const GENESIS = '0'.repeat(64);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One text for one value: keys sorted, no spaces, numbers as JSON writes them. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((each: Json) => canonical(each)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value as Record<string, Json>)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${fields.join(',')}}`;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 over the hash before it, number, time, kind and body, a line each. */
export const hashOf = (before: string, { seq, recorded_at, kind, body }: Omit<LedgerEntry, 'hash'>): string =>
  sha256([before, seq, recorded_at, kind, body].join('\n'));

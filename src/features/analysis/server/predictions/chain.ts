import { sha256 } from '#kernel/canonical-json.ts';

export type EntryKind = 'call' | 'outcome' | 'void' | 'missing';
export type LedgerEntry = { seq: number; recorded_at: string; kind: EntryKind; body: string; hash: string };

/** What the first entry follows. */
export const GENESIS = '0'.repeat(64);

/** SHA-256 over the hash before it, number, time, kind and body, a line each. */
export const hashOf = (before: string, { seq, recorded_at, kind, body }: Omit<LedgerEntry, 'hash'>): string =>
  sha256([before, seq, recorded_at, kind, body].join('\n'));

import { sha256 } from '#kernel/canonical-json.ts';

export type EntryKind = 'call' | 'outcome' | 'void' | 'missing';
export type LedgerEntry = { seq: number; recorded_at: string; kind: EntryKind; body: string; hash: string };

/** The hash before the first entry. */
export const GENESIS = '0'.repeat(64);

/** SHA-256 over the previous hash, number, time, kind and body, one line each. */
export const hashOf = (before: string, { seq, recorded_at, kind, body }: Omit<LedgerEntry, 'hash'>): string =>
  sha256([before, seq, recorded_at, kind, body].join('\n'));

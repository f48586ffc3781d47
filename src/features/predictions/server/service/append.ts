import { canonicalJson } from '#server/platform/canonical-json.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';

import { type EntryKind, GENESIS, hashOf, type LedgerEntry } from '../chain.ts';
import { insertEntries, lastEntry, lockLedger } from '../store/ledger.ts';

export type NewEntry = { kind: EntryKind; body: Readonly<Record<string, unknown>> };

/**
 * Adds entries to the end of the chain, within the caller's transaction.
 * Refused with `conflict` when the newest entry is younger than `at`: a clock that went back, or a late insert.
 */
export async function append(tx: Db, entries: readonly NewEntry[], at: Date): Promise<LedgerEntry[]> {
  await lockLedger(tx);
  const last = await lastEntry(tx);
  if (last && Date.parse(last.recorded_at) > at.getTime())
    throw new AppError(
      'conflict',
      `The ledger's newest entry is of ${last.recorded_at}: nothing is added at ${at.toISOString()}, before it`,
    );
  let before = last?.hash ?? GENESIS;
  const first = (last?.seq ?? 0) + 1;
  const rows = entries.map(({ kind, body }, i) => {
    const entry = { seq: first + i, recorded_at: at.toISOString(), kind, body: canonicalJson(body) };
    before = hashOf(before, entry);
    return { ...entry, hash: before };
  });
  await insertEntries(tx, rows);
  return rows;
}

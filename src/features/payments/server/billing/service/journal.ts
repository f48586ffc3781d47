import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import { insertEntry, type NewEntry, sumOf } from '../store/journal.ts';

export const creditOf = (userId: number): string => `credit:${userId}`;

/**
 * Writes one entry of the books within the caller's transaction; lines of the same account are one. Throws when it does not balance or
 * cannot be held exactly; false, and nothing written, when the key stands already.
 */
export function post(tx: Db, entry: NewEntry): Promise<boolean> {
  const sum = entry.lines.reduce((total, [, units]) => total + units, 0n);
  if (sum !== 0n) throw new Error(`Journal ${entry.key} does not balance: ${sum}`);
  const lines = new Map<string, Units>();
  for (const [account, units] of entry.lines) lines.set(account, (lines.get(account) ?? 0n) + units);
  for (const units of lines.values())
    if (!Number.isSafeInteger(Number(units))) throw new Error(`Journal ${entry.key} holds too much: ${units}`);
  return insertEntry(tx, { ...entry, lines: [...lines] });
}

/** What is on a person's balance, in micro-dollars, never below zero. */
export async function creditBalance(db: Db, userId: number): Promise<Units> {
  return -(await sumOf(db, creditOf(userId)));
}

import { expect } from 'vitest';

import { auditBooks } from '#features/payments/server/usdc/service/audit.ts';
import { openDatabase } from '#kernel/db.ts';

import type { Started } from './start.ts';

/** What is broken in the books of a running product; empty when all is right. Read after every change of money. */
export async function brokenBooks(s: Pick<Started, 'connection'>): Promise<string[]> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  try {
    return await auditBooks(db);
  } finally {
    await close();
  }
}

/** Fails with what is broken. */
export async function expectBooks(s: Pick<Started, 'connection'>): Promise<void> {
  expect(await brokenBooks(s)).toEqual([]);
}

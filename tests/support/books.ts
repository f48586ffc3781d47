import { expect } from 'vitest';

import { auditBooks } from '#features/payments/server/usdc/service/audit.ts';
import { openDatabase } from '#kernel/db.ts';

import type { TestProduct } from './start.ts';

/** Errors in the books of a running product; empty when they balance. Checked after every change of money. */
export async function accountingErrors(s: Pick<TestProduct, 'connection'>): Promise<string[]> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  try {
    return await auditBooks(db);
  } finally {
    await close();
  }
}

/** Fails with the errors found. */
export async function expectBalancedBooks(s: Pick<TestProduct, 'connection'>): Promise<void> {
  expect(await accountingErrors(s)).toEqual([]);
}

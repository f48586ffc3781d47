import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/**
 * Returns a JSON file of everything stored about the caller: `{ version, product, createdAt, account, … }`, each part a
 * list of rows with column names. Times are UTC, ledger amounts are in micro-dollars. Secrets and their hashes are
 * listed under `leftOut`. Needs a fresh sign-in. At most five per day.
 */
export const downloadPersonalData = endpoint({
  method: 'GET',
  path: '/api/profile/data',
  access: 'free',
  reply: z.never(),
});

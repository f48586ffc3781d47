import { z } from 'zod/mini';

import { endpoint } from '#shared/contract.ts';

/**
 * Answers with a JSON file of everything that is kept about the caller: `{ version, product, createdAt, account, … }`, each part
 * a list of rows with the names of their columns. Times are UTC, money of journals is in micro-dollars. Secrets, and hashes of
 * them, are named under `leftOut`. Needs a fresh proof. At most five a day.
 */
export const downloadPersonalData = endpoint({
  method: 'GET',
  path: '/api/profile/data',
  access: 'free',
  reply: z.never(),
});

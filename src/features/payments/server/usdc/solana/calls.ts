import { z } from 'zod/mini';

import type { SolanaNode } from './node.ts';

export type Commitment = 'confirmed' | 'finalized';

const MOST_STATUSES = 256;
const slot = z.int();

const statuses = z.object({
  value: z.array(z.nullable(z.object({ err: z.unknown(), confirmationStatus: z.nullish(z.string()) }))),
});
export type Status = z.output<typeof statuses>['value'][number];

export const getSlot = (node: SolanaNode, commitment: Commitment): Promise<number> =>
  node.call('getSlot', [{ commitment }], slot);

/** Where the history of the node begins. */
export const getFirstSlot = (node: SolanaNode): Promise<number> => node.call('getFirstAvailableBlock', [], slot);

export const hasFailed = (err: unknown): boolean => err !== null && err !== undefined;

/** What a node knows of each transaction; null where it knows nothing. */
export async function statusesOf(node: SolanaNode, txs: readonly string[]): Promise<Status[]> {
  const all: Status[] = [];
  for (let i = 0; i < txs.length; i += MOST_STATUSES) {
    const some = txs.slice(i, i + MOST_STATUSES);
    const { value } = await node.call('getSignatureStatuses', [some, { searchTransactionHistory: true }], statuses);
    if (value.length !== some.length)
      throw new Error(`${some.length} transactions were requested, not ${value.length}`);
    all.push(...value);
  }
  return all;
}

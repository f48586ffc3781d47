import { z } from 'zod/mini';

import { messageOf } from '#kernel/errors.ts';

import type { Known, Transfer, Unreadable } from '../rail.ts';
import { hasFailed } from './calls.ts';
import { askNode, type SolanaNode, UnreadableError } from './node.ts';
import { type Reading, type Transaction, transaction, transferIn } from './transaction.ts';

const AT_ONCE = 4;

/** What getSignaturesForAddress says of a transaction. */
export const signatureRow = z.object({ signature: z.string(), slot: z.int(), err: z.unknown() });
export type Listed = z.output<typeof signatureRow>;

/** Transactions that were read, by signature and slot: an interrupted look does not begin anew. */
export type Read = Map<string, Transaction>;

/** Transactions that this process has tried in vain: the next release may read them. */
export type Tried = Set<string>;

/** The node that is read; the others are asked for what it does not give in a form that can be read. */
export type Source = { node: SolanaNode; others: readonly string[]; signal: AbortSignal };

async function fetchTransaction(node: SolanaNode, signature: string): Promise<Transaction> {
  // Only installations that take USDC on Solana load it.
  const { MAX_SUPPORTED_TRANSACTION_VERSION: maxSupportedTransactionVersion } = await import('@solana/kit');
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion };
  const found = await node.call('getTransaction', [signature, options], z.nullable(transaction));
  if (!found) throw new Error(`The node lists ${signature} but does not have it`);
  return found;
}

/** A transaction that no node gives in a readable form is returned as its error; any other failure is thrown. */
async function readOne(
  { node, others, signal }: Source,
  { signature, slot }: Listed,
  read: Read,
): Promise<Transaction | UnreadableError> {
  const known = read.get(`${signature}:${slot}`);
  if (known) return known;
  let found: Transaction | UnreadableError;
  try {
    found = await fetchTransaction(node, signature);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const elsewhere = others.map((url) => askNode(url, signal, (other) => fetchTransaction(other, signature)));
    found = await Promise.any(elsewhere).catch(() => error);
  }
  if (!(found instanceof UnreadableError)) read.set(`${signature}:${found.slot}`, found);
  return found;
}

/** What is recorded as unreadable, tried once a process. That a node no longer has it is no reason to stop. */
export async function readAfterAll(
  source: Source,
  { unreadable = [] }: Known,
  reading: Reading,
  tried: Tried,
): Promise<{ transfers: Transfer[]; txs: string[] }> {
  const read: { transfers: Transfer[]; txs: string[] } = { transfers: [], txs: [] };
  for (const { tx, block } of unreadable.filter((each) => !tried.has(each.tx))) {
    tried.add(tx);
    const one = await readOne(source, { signature: tx, slot: block, err: null }, new Map()).catch(() => undefined);
    if (!one || one instanceof UnreadableError) continue;
    read.txs.push(tx);
    const transfer = transferIn(tx, one, reading);
    if (transfer) read.transfers.push(transfer);
  }
  return read;
}

/** Reads what was listed, oldest first, a few at a time. */
export async function readTransfers(
  source: Source,
  listed: readonly Listed[],
  reading: Reading,
  read: Read,
): Promise<{ transfers: Transfer[]; unreadable: Unreadable[] }> {
  const good = listed.filter(({ err }) => !hasFailed(err)).toReversed();
  const transfers: Transfer[] = [];
  const unreadable: Unreadable[] = [];
  for (let i = 0; i < good.length; i += AT_ONCE) {
    const some = good.slice(i, i + AT_ONCE);
    const found = await Promise.all(some.map((each) => readOne(source, each, read)));
    for (const [n, { signature: tx, slot: block }] of some.entries()) {
      const one = found[n] as Transaction | UnreadableError;
      if (one instanceof UnreadableError) unreadable.push({ tx, block, reason: messageOf(one) });
      const transfer = one instanceof UnreadableError ? undefined : transferIn(tx, one, reading);
      if (transfer) transfers.push(transfer);
    }
  }
  return { transfers, unreadable };
}

import { z } from 'zod/mini';
import { errorMessage } from '#kernel/errors.ts';
import type { Units } from '#shared/money.ts';

import type { Known, Transfer, Unreadable } from '../rail.ts';
import { callNode, hasFailed, type SolanaNode, UnreadableError } from './node.ts';

const balance = z.object({
  accountIndex: z.int(),
  mint: z.string(),
  owner: z.optional(z.string()),
  uiTokenAmount: z.object({ amount: z.string().check(z.regex(/^\d{1,20}$/)) }),
});
type Balance = z.output<typeof balance>;

const balances = z.nullish(z.array(balance));

/** The part of getTransaction used here, with `encoding: 'json'`. */
const transaction = z.object({
  slot: z.int(),
  blockTime: z.int(),
  meta: z.object({
    err: z.unknown(),
    preTokenBalances: balances,
    postTokenBalances: balances,
    loadedAddresses: z.nullish(z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) })),
  }),
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
});
type Transaction = z.output<typeof transaction>;

export type Reading = {
  /** Our token account. */
  account: string;
  token: string;
  routes: ReadonlySet<string>;
  /** Routes of open payments by their exact amount. */
  amounts: ReadonlyMap<Units, string>;
};

/** Accounts of a transaction in the order of its balances: its own, then those of lookup tables. */
function listAccounts({ transaction: { message }, meta: { loadedAddresses } }: Transaction): string[] {
  return [...message.accountKeys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])];
}

type Change = { index: number; owner: string | undefined; units: Units };

/** Gains and losses of each account of the token in the transaction, regardless of its instructions. */
function balanceChanges({ meta }: Transaction, token: string): Change[] {
  const changes = new Map<number, Change>();
  const add = (rows: readonly Balance[], sign: bigint) => {
    for (const { accountIndex: index, mint, owner, uiTokenAmount } of rows) {
      if (mint !== token) continue;
      const before = changes.get(index);
      const units = (before?.units ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(index, { index, owner: before?.owner ?? owner, units });
    }
  };
  add(meta.preTokenBalances ?? [], -1n);
  add(meta.postTokenBalances ?? [], 1n);
  return [...changes.values()];
}

function findRoute(accounts: readonly string[], units: Units, { routes, amounts }: Reading): string | null {
  const [first, ...more] = new Set(accounts.filter((account) => routes.has(account)));
  if (more.length > 0) return null;
  return first ?? amounts.get(units) ?? null;
}

/** Money a transaction brought to our account; undefined when it failed or brought none. */
function transferIn(signature: string, found: Transaction, reading: Reading): Transfer | undefined {
  if (found.meta.err !== null && found.meta.err !== undefined) return undefined;
  const accounts = listAccounts(found);
  const index = accounts.indexOf(reading.account);
  const changes = balanceChanges(found, reading.token);
  const units = changes.find((change) => change.index === index)?.units ?? 0n;
  if (units <= 0n) return undefined;
  const losers = changes.filter((change) => change.units < 0n).toSorted((a, b) => (a.units < b.units ? -1 : 1));
  return {
    tx: signature,
    idx: index,
    block: found.slot,
    // The same transaction may land again on another fork, in another slot.
    blockHash: String(found.slot),
    at: new Date(found.blockTime * 1000),
    token: reading.token,
    sender: losers[0]?.owner ?? accounts[0] ?? '',
    route: findRoute(accounts, units, reading),
    units,
  };
}

const AT_ONCE = 4;

/** A row of getSignaturesForAddress. */
export const signatureRow = z.object({ signature: z.string(), slot: z.int(), err: z.unknown() });
export type Listed = z.output<typeof signatureRow>;

/** Transactions already read, by signature and slot: an interrupted look does not start over. */
export type Read = Map<string, Transaction>;

/** Transactions this process failed to read: a later release may be able to. */
export type Tried = Set<string>;

/** The node to read from; the others are asked for transactions it does not return in a readable form. */
export type Source = { node: SolanaNode; others: readonly string[]; signal: AbortSignal };

async function fetchTransaction(node: SolanaNode, signature: string): Promise<Transaction> {
  // Loaded only by installations that accept USDC on Solana.
  const { MAX_SUPPORTED_TRANSACTION_VERSION: maxSupportedTransactionVersion } = await import('@solana/kit');
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion };
  const found = await node.call('getTransaction', [signature, options], z.nullable(transaction));
  if (!found) throw new Error(`The node lists ${signature} but does not have it`);
  return found;
}

/** A transaction that no node returns in a readable form is returned as its error; any other failure is thrown. */
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
    const elsewhere = others.map((url) => callNode(url, signal, (other) => fetchTransaction(other, signature)));
    found = await Promise.any(elsewhere).catch(() => error);
  }
  if (!(found instanceof UnreadableError)) read.set(`${signature}:${found.slot}`, found);
  return found;
}

/** Retries unreadable transactions once per process. A node that no longer has one is not an error. */
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

/** Reads the listed transactions, oldest first, a few at a time. */
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
      if (one instanceof UnreadableError) unreadable.push({ tx, block, reason: errorMessage(one) });
      const transfer = one instanceof UnreadableError ? undefined : transferIn(tx, one, reading);
      if (transfer) transfers.push(transfer);
    }
  }
  return { transfers, unreadable };
}

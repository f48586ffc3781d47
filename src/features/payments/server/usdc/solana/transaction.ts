import { z } from 'zod/mini';

import type { Units } from '#shared/money.ts';

import type { Transfer } from '../rail.ts';

const balance = z.object({
  accountIndex: z.int(),
  mint: z.string(),
  owner: z.optional(z.string()),
  uiTokenAmount: z.object({ amount: z.string().check(z.regex(/^\d{1,20}$/)) }),
});
type Balance = z.output<typeof balance>;

const balances = z.nullish(z.array(balance));

/** What of getTransaction counts here, with `encoding: 'json'`. */
export const transaction = z.object({
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
export type Transaction = z.output<typeof transaction>;

export type Reading = {
  /** Our token account. */
  account: string;
  token: string;
  routes: ReadonlySet<string>;
  /** Routes of open payments by their exact amount. */
  amounts: ReadonlyMap<Units, string>;
};

/** Accounts of a transaction in the order that its balances count in: its own, then those of lookup tables. */
function accountsOf({ transaction: { message }, meta: { loadedAddresses } }: Transaction): string[] {
  return [...message.accountKeys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])];
}

type Change = { index: number; owner: string | undefined; units: Units };

/** What each account of the token has gained or lost by the transaction, whatever its instructions were. */
function changesOf({ meta }: Transaction, token: string): Change[] {
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

function routeOf(accounts: readonly string[], units: Units, { routes, amounts }: Reading): string | null {
  const [first, ...more] = new Set(accounts.filter((account) => routes.has(account)));
  if (more.length > 0) return null;
  return first ?? amounts.get(units) ?? null;
}

/** The money that a transaction has brought to our account; undefined when it failed or brought none. */
export function transferIn(signature: string, found: Transaction, reading: Reading): Transfer | undefined {
  if (found.meta.err !== null && found.meta.err !== undefined) return undefined;
  const accounts = accountsOf(found);
  const index = accounts.indexOf(reading.account);
  const changes = changesOf(found, reading.token);
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
    route: routeOf(accounts, units, reading),
    units,
  };
}

import type { Network } from '#features/payments/contract/usdc.ts';
import type { Units } from '#shared/money.ts';

/** One transfer to us as the chain shows it. */
export type Transfer = {
  tx: string;
  /** Place within its transaction: of the log (Base), or of our account (Solana). */
  idx: number;
  block: number;
  blockHash: string;
  /** Of the block. */
  at: Date;
  token: string;
  sender: string;
  /** The payment's route; null where nothing tells whose it is. */
  route: string | null;
  units: Units;
};

/** A final transaction of our account that no node gave in a form that can be read: money in it is not booked. */
export type Unreadable = { tx: string; block: number; reason: string };

/** What one look at a chain has found between the blocks `from` and `head`. */
export type Window = {
  network: Network;
  from: number;
  head: number;
  /** Up to here the chain will keep its blocks: money counts. */
  safe: number;
  /** Up to here nothing changes any more: not looked at again. */
  final: number;
  transfers: readonly Transfer[];
  /** Deposits of the window that are no longer found: true only with proof that their block is gone. A lagging node proves nothing. */
  isLost: (deposit: { tx: string; idx: number; block: number; blockHash: string }) => boolean;
  /** What the next look goes on from, where block numbers do not tell: the newest final signature. */
  mark?: string | null;
  /** Stepped over: recorded and reported instead of stopping every later look. */
  unreadable?: readonly Unreadable[];
  /** Transactions recorded as unreadable that could be read after all: their money is among the transfers. */
  readAfterAll?: readonly string[];
};

/** The cursor of a chain; the first look begins after `from`. */
export type Cursor = { scanned: number; mark: string | null };

/** What a new payment is told apart by. */
export type Route = { address: string; route: string; reference: string | null };

/** A network on which USDC is taken. */
export type Rail = {
  network: Network;
  /** Null when it can be used, else why not, in words for people. */
  closed: string | null;
  /** Contract or mint of USDC. */
  token: string;
  /** `number` counts payments up; the same payment always gives the same route. */
  routeOf: (payment: { id: string; number: number }) => Promise<Route> | Route;
  /** True where open payments need amounts that differ. */
  uniqueAmounts: boolean;
  uriOf: (payment: {
    address: string;
    reference: string | null;
    units: Units;
    label: string;
    message: string;
  }) => string;
  /** Where a transaction can be looked at; null in demo mode. */
  linkOf: (tx: string) => string | null;
  /** Demo mode only: the wallet to play with, filled in for this payment. */
  demoWalletOf:
    | ((payment: { address: string; reference: string | null; units: Units; expiresAt: Date }) => string)
    | null;
  /** Looks at the chain once. Throws when no node answers or answers for another network: nothing changes then. */
  look: (known: Known, signal: AbortSignal) => Promise<Window>;
  /** Every final transfer to us from block `from` to block `upTo`, read anew: what the books have to equal. */
  readAll: (
    known: { routes: readonly string[]; amounts: ReadonlyMap<Units, string>; from: number; upTo: number },
    signal: AbortSignal,
  ) => Promise<readonly Transfer[]>;
};

/** What a look has to know of what is stored. */
export type Known = {
  cursor: Cursor | null;
  /** Routes of every payment of the network, for ever: money may come late. */
  routes: readonly string[];
  /** Routes of open payments by their exact amount, for money without a reference (Solana). */
  amounts: ReadonlyMap<Units, string>;
  /** Deposits after the cursor that are not orphaned. */
  deposits: readonly { tx: string; idx: number; block: number; blockHash: string }[];
  /** Recorded as unreadable: each process tries each once, since an update may read them. */
  unreadable?: readonly Pick<Unreadable, 'tx' | 'block'>[];
};

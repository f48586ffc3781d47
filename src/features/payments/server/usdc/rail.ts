import type { Network } from '#features/payments/contract/usdc.ts';
import type { Units } from '#shared/money.ts';

/** One transfer to us as recorded on chain. */
export type Transfer = {
  tx: string;
  /** Position within its transaction: of the log (Base), or of our account (Solana). */
  idx: number;
  block: number;
  blockHash: string;
  /** Block time. */
  at: Date;
  token: string;
  sender: string;
  /** The payment's route; null when the transfer does not identify one. */
  route: string | null;
  units: Units;
};

/** A final transaction of our account that no node returned in a readable form: money in it is not booked. */
export type Unreadable = { tx: string; block: number; reason: string };

/** The result of one look at a chain between the blocks `from` and `head`. */
export type Window = {
  network: Network;
  from: number;
  head: number;
  /** Up to here the chain will keep its blocks: money counts. */
  safe: number;
  /** Up to here nothing changes any more: not read again. */
  final: number;
  transfers: readonly Transfer[];
  /**
   * Deposits of the window that are no longer found: true only with proof that their block is gone. A lagging node
   * proves nothing.
   */
  isLost: (deposit: { tx: string; idx: number; block: number; blockHash: string }) => boolean;
  /** Where the next look resumes when block numbers are not enough: the newest final signature. */
  mark?: string | null;
  /** Skipped: recorded and reported instead of blocking every later look. */
  unreadable?: readonly Unreadable[];
  /** Transactions recorded as unreadable that could now be read: their money is among the transfers. */
  readAfterAll?: readonly string[];
};

/** The cursor of a chain; the first look begins after `from`. */
export type Cursor = { scanned: number; mark: string | null };

/** Identifies a new payment on its chain. */
export type Route = { address: string; route: string; reference: string | null };

/** A network on which USDC is accepted. */
export type Rail = {
  network: Network;
  /** Null when available; otherwise the reason shown to users. */
  closed: string | null;
  /** Contract or mint of USDC. */
  token: string;
  /** `number` counts payments; the same payment always gets the same route. */
  routeOf: (payment: { id: string; number: number }) => Promise<Route> | Route;
  /** True where open payments need distinct amounts. */
  uniqueAmounts: boolean;
  uriOf: (payment: {
    address: string;
    reference: string | null;
    units: Units;
    label: string;
    message: string;
  }) => string;
  /** Block explorer link; null in demo mode. */
  linkOf: (tx: string) => string | null;
  /** Demo mode only: the demo wallet, filled in for this payment. */
  demoWalletOf:
    | ((payment: { address: string; reference: string | null; units: Units; expiresAt: Date }) => string)
    | null;
  /** Looks at the chain once. Throws, changing nothing, when no node responds or a node is on another network. */
  scan: (known: Known, signal: AbortSignal) => Promise<Window>;
  /** Every final transfer to us from block `from` to block `upTo`, re-read: the ledger must match it. */
  readAll: (
    known: { routes: readonly string[]; amounts: ReadonlyMap<Units, string>; from: number; upTo: number },
    signal: AbortSignal,
  ) => Promise<readonly Transfer[]>;
};

/** The stored state a look needs. */
export type Known = {
  cursor: Cursor | null;
  /** Routes of every payment ever made on the network: money may arrive late. */
  routes: readonly string[];
  /** Routes of open payments by their exact amount, for money without a reference (Solana). */
  amounts: ReadonlyMap<Units, string>;
  /** Deposits after the cursor that are not orphaned. */
  deposits: readonly { tx: string; idx: number; block: number; blockHash: string }[];
  /** Recorded as unreadable: each process retries each once, since a new release may be able to read them. */
  unreadable?: readonly Pick<Unreadable, 'tx' | 'block'>[];
};

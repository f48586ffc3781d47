import { randomBytes } from 'node:crypto';

import { MARKET_START } from '#sandbox/market/time.ts';
import { toBase58 } from '#shared/base58.ts';

import { TOKEN_PROGRAM, tokenAccountOf } from './addresses.ts';
import { walletNamed } from './wallet.ts';

export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const SLOT_MS = 400;
const [CONFIRMED_SLOTS, FINAL_SLOTS] = [2, 32];
const SIGNATURE_BYTES = 64;

export const slotAt = (ms: number): number => Math.floor((ms - MARKET_START) / SLOT_MS);

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The newest slot that a node calls so. */
export function headAt(now: number, commitment: Commitment): number {
  const behind = { processed: 0, confirmed: CONFIRMED_SLOTS, finalized: FINAL_SLOTS }[commitment];
  return slotAt(now) - behind;
}

export type Order = {
  /** A wallet: its account of the token is paid to. */
  to: string;
  units: bigint;
  /** When it gets into a block. */
  at: number;
  mint?: string;
  references?: readonly string[];
  /** Name of the wallet that pays. */
  from?: string;
  /** Part of its accounts come from a lookup table. */
  isVersioned?: boolean;
  fails?: boolean;
  /** What the person was asked to pay, for their wallet only. */
  note?: string | null;
};

export type SentTransaction = {
  signature: string;
  at: number;
  slot: number;
  err: unknown;
  isVersioned: boolean;
  to: string;
  mint: string;
  units: bigint;
  payer: string;
  source: string;
  destination: string;
  keys: string[];
  loaded: { writable: string[]; readonly: string[] };
  note: string | null;
};

/** A chain of token transfers only: whoever pays has what they send. */
export class SolanaChain {
  #transactions: SentTransaction[] = [];
  #firstSlot = Number.POSITIVE_INFINITY;

  /** Where the history begins: the chain is as old as the first question. */
  firstSlot(now: number): number {
    this.#firstSlot = Math.min(this.#firstSlot, headAt(now, 'finalized') - 1);
    return this.#firstSlot;
  }

  /** Undefined when `to` is no address. */
  send(order: Order): SentTransaction | undefined {
    const { to, units, at, mint = USDC_MINT, references = [], from = 'demo', isVersioned = false, note = null } = order;
    const payer = walletNamed(from).address;
    const [source, destination] = [tokenAccountOf(payer, mint), tokenAccountOf(to, mint)];
    if (source === undefined || destination === undefined) return undefined;
    this.firstSlot(at);
    const sent: SentTransaction = {
      signature: toBase58(randomBytes(SIGNATURE_BYTES)),
      at,
      slot: slotAt(at),
      err: order.fails ? { InstructionError: [0, { Custom: 1 }] } : null,
      isVersioned,
      to,
      mint,
      units,
      payer,
      source,
      destination,
      keys: isVersioned
        ? [payer, source, TOKEN_PROGRAM]
        : [payer, source, destination, mint, TOKEN_PROGRAM, ...references],
      loaded: isVersioned
        ? { writable: [destination], readonly: [mint, ...references] }
        : { writable: [], readonly: [] },
      note,
    };
    this.#transactions = [...this.#transactions, sent].toSorted((a, b) => a.at - b.at);
    return sent;
  }

  /** The fork of this transaction is left, as if it had never been; false when it is final or not there. */
  drop(signature: string, now: number): boolean {
    const before = this.#transactions.length;
    const isGone = (each: SentTransaction) => each.signature === signature && each.slot > headAt(now, 'finalized');
    this.#transactions = this.#transactions.filter((each) => !isGone(each));
    return this.#transactions.length < before;
  }

  /** The newest first. */
  upTo(slot: number): SentTransaction[] {
    return this.#transactions.filter((each) => each.slot <= slot).toReversed();
  }

  /** What is to this wallet, seen or still on its way, the newest first. */
  sentTo(wallet: string): SentTransaction[] {
    return this.#transactions.filter(({ to }) => to === wallet).toReversed();
  }

  /** What a token account holds once everything up to this slot is done, or before one transaction of it. */
  balance(account: string, slot: number, before?: SentTransaction): bigint {
    let sum = 0n;
    for (const each of this.#transactions) {
      if (each.slot > slot || each === before) break;
      if (each.err === null && each.destination === account) sum += each.units;
    }
    return sum;
  }
}

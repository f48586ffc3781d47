import { createHash } from 'node:crypto';

import type { Market } from '#sandbox/market/market.ts';

export const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** A token of no value that anybody may send. */
export const WORTHLESS = '0x00000000000000000000000000000000bad70ce7';
/** Whose money the demo spends. */
export const DEMO_WALLET = '0x7e57000000000000000000000000000000d43057';

/** The first block, and one every two seconds from then on. */
const [GENESIS, SLOT] = [Date.UTC(2023, 5, 15, 0, 35, 47), 2_000];

export type Movement = { token: string; from: string; to: string; units: bigint };
export type Mined = {
  hash: string;
  from: string;
  to: string;
  input: string;
  block: number;
  movements: readonly Movement[];
};
/** What a node knows: the time it is at, and the block from which it is on a branch of its own. */
export type View = { now: number; fork: number };

export const numberAt = (now: number): number => Math.floor((now - GENESIS) / SLOT);
export const timeOf = (block: number): number => GENESIS + block * SLOT;

/** Blocks follow from the time, and hold what was sent before. */
export class BaseLedger {
  readonly #seed: number;
  /** From which blocks on the chain was replaced. */
  readonly #replaced: number[] = [];
  #mined: Mined[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  #digest(...parts: readonly (string | number)[]): string {
    return `0x${createHash('sha256')
      .update([this.#seed, 'base', ...parts].join(':'))
      .digest('hex')}`;
  }

  hashOf(block: number, { fork }: View): string {
    const branches = this.#replaced.flatMap((from, i) => (from <= block ? [i] : []));
    return this.#digest('block', block, branches.join('.'), block >= fork ? 'fork' : '');
  }

  /** Gets into the first block after `at`. */
  send(sent: { from: string; to: string; input?: string; movements: readonly Movement[] }, at: number): Mined {
    this.#count += 1;
    const mined: Mined = { input: '0x', ...sent, hash: this.#digest('tx', this.#count), block: numberAt(at) + 1 };
    this.#mined.push(mined);
    return mined;
  }

  /** Replaces the newest `depth` blocks. */
  reorganise(now: number, depth: number, again: boolean): void {
    const head = numberAt(now);
    const from = head - depth + 1;
    this.#replaced.push(from);
    this.#mined = this.#mined.flatMap((each) => {
      if (each.block < from || each.block > head) return [each];
      return again ? [{ ...each, block: head + 1 }] : [];
    });
  }

  /** In the order of the chain. */
  minedBetween(from: number, to: number, { now, fork }: View): Mined[] {
    const last = Math.min(to, numberAt(now), fork - 1);
    return this.#mined.filter(({ block }) => block >= from && block <= last).toSorted((a, b) => a.block - b.block);
  }

  find(hash: string, view: View): Mined | undefined {
    return this.minedBetween(0, Number.POSITIVE_INFINITY, view).find((each) => each.hash === hash);
  }

  /** Everything that was sent to this address or waits to be mined, newest first. */
  sentTo(address: string): Mined[] {
    const isTo = ({ movements }: Mined) => movements.some(({ to }) => to === address.toLowerCase());
    return this.#mined.filter(isTo).toReversed();
  }

  balanceOf(token: string, who: string, view: View): bigint {
    let sum = who === DEMO_WALLET && token === USDC ? 1_000_000_000_000n : 0n;
    for (const { movements } of this.minedBetween(0, Number.POSITIVE_INFINITY, view))
      for (const each of movements) {
        if (each.token !== token) continue;
        if (each.to === who) sum += each.units;
        if (each.from === who) sum -= each.units;
      }
    return sum;
  }
}

const ledgers = new WeakMap<Market, BaseLedger>();

/** The one chain of a simulated world. */
export function baseLedgerOf(market: Market): BaseLedger {
  const ledger = ledgers.get(market) ?? new BaseLedger(market.seed);
  ledgers.set(market, ledger);
  return ledger;
}

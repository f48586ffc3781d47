import type { Network } from '#features/payments/contract/usdc.ts';
import type { Known, Rail, Transfer, Window } from '#features/payments/server/usdc/rail.ts';
import type { Units } from '#shared/money.ts';

export const USDC = 'USDC';
const SAFE_DEPTH = 2;
const FINAL_DEPTH = 6;

export type TestTransfer = {
  /** The route; null where the recipient is unknown. */
  to: string | null;
  units: Units;
  token?: string;
  /** Of an earlier transaction: a reorganized chain may contain it again. */
  tx?: string;
  idx?: number;
};

type Block = { hash: string; at: Date; transfers: (TestTransfer & { tx: string; idx: number })[] };

/** An in-memory chain: it grows, drops its newest blocks, lags and fails on demand. */
export class TestChain {
  readonly network: Network;
  readonly now: () => Date;
  blocks: Block[] = [{ hash: 'genesis', at: new Date(0), transfers: [] }];
  /** Number of blocks the node is behind. */
  lag = 0;
  isDown = false;
  closed: string | null = null;
  scanCount = 0;
  /** Runs during a scan. */
  duringScan: () => Promise<void> = async () => undefined;
  #count = 0;

  constructor(network: Network, now: () => Date) {
    this.network = network;
    this.now = now;
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** Mines one block; returns the id of its last transaction. */
  mine(sent: readonly TestTransfer[] = [], at = this.now()): string {
    this.#count += 1;
    const hash = `block${this.#count}`;
    let tx = '';
    const withIds = sent.map((each, index) => {
      tx = each.tx ?? `tx${this.#count}n${index}`;
      return { ...each, tx, idx: each.idx ?? 0 };
    });
    this.blocks.push({ hash, at, transfers: withIds });
    return tx;
  }

  pay(to: string | null, units: Units, overrides: Partial<TestTransfer> = {}): string {
    return this.mine([{ to, units, ...overrides }]);
  }

  /** Mines blocks without payments. */
  mineEmpty(blocks: number): void {
    for (let i = 0; i < blocks; i += 1) this.mine();
  }

  /** Grows until everything on the chain is safe or final. */
  confirm = (): void => this.mineEmpty(SAFE_DEPTH);
  finalize = (): void => this.mineEmpty(FINAL_DEPTH);

  /** Replaces the newest blocks; returns the transactions they contained. */
  reorg(depth: number): TestTransfer[] {
    const removed = this.blocks.splice(this.blocks.length - depth, depth);
    this.mineEmpty(depth + 1);
    return removed.flatMap(({ transfers }) => transfers);
  }

  transfers(from: number, upTo: number): Transfer[] {
    return this.blocks.slice(from, upTo + 1).flatMap(({ hash, at, transfers }, i) =>
      transfers.map(({ tx, idx, to, units, token }) => ({
        tx,
        idx,
        block: from + i,
        blockHash: hash,
        at,
        token: token ?? USDC,
        sender: 'somebody',
        route: to,
        units,
      })),
    );
  }

  #scan({ cursor }: Known): Window {
    const head = Math.max(this.height - this.lag, 0);
    const from = (cursor?.scanned ?? 0) + 1;
    return {
      network: this.network,
      from,
      head,
      safe: Math.max(head - SAFE_DEPTH, 0),
      final: Math.max(head - FINAL_DEPTH, 0),
      transfers: this.transfers(from, head),
      isLost: ({ block, blockHash }) => block <= head && this.blocks[block]?.hash !== blockHash,
      mark: `mark${head}`,
    };
  }

  get rail(): Rail {
    const closed = () => this.closed;
    return {
      network: this.network,
      get closed() {
        return closed();
      },
      token: USDC,
      uniqueAmounts: this.network === 'solana',
      routeOf: ({ number }) =>
        this.network === 'base'
          ? { address: `0x${number}`, route: `0x${number}`, reference: null }
          : { address: 'merchant', route: `reference${number}`, reference: `reference${number}` },
      uriOf: ({ address, reference, units }) => `pay:${reference ?? address}?units=${units}`,
      linkOf: (tx) => `https://explorer.example/${tx}`,
      demoWalletOf: null,
      scan: async (known) => {
        this.scanCount += 1;
        if (this.isDown) throw new Error('no node answers');
        const window = this.#scan(known);
        await this.duringScan();
        return window;
      },
      readAll: async ({ from, upTo }) => this.transfers(from, upTo),
    };
  }
}

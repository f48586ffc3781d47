import type { pricesTopic } from '#features/market/contract/market.ts';
import type { TopicData } from '#shared/contract.ts';

export type Frame = TopicData<typeof pricesTopic>;
export type LiveTick = { price: number; change: number | null; cap: number | null; source: string; at: number };

type Timer = { now: () => number; after: (ms: number, run: () => void) => void };
const realTime: Timer = { now: () => Date.now(), after: (ms, run) => void setTimeout(run, ms) };

/** Five paints per second: faster than a number can be read, and cheap enough with 250 rows. */
const GAP_MS = 200;

/** The newest tick per coin. Listeners see changes only at a paint, however fast frames arrive. */
export class TickStore {
  readonly #time: Timer;
  readonly #arrived = new Map<string, LiveTick>();
  readonly #shown = new Map<string, LiveTick>();
  readonly #cells = new Map<string, Set<() => void>>();
  readonly #boards = new Set<(changed: ReadonlySet<string>) => void>();
  #newest: LiveTick | undefined;
  #paintedAt = Number.NEGATIVE_INFINITY;
  #waiting = false;

  constructor(time: Timer = realTime) {
    this.#time = time;
  }

  push({ sources, ticks }: Frame): void {
    for (const [id, price, change, cap, source, at] of ticks) {
      const known = this.#arrived.get(id) ?? this.#shown.get(id);
      if (known && known.at >= at) continue;
      this.#arrived.set(id, { price, change, cap, source: sources[source] ?? '', at });
    }
    if (this.#arrived.size === 0 || this.#waiting) return;
    const wait = this.#paintedAt + GAP_MS - this.#time.now();
    if (wait <= 0) return this.#paint();
    this.#waiting = true;
    this.#time.after(wait, () => this.#paint());
  }

  readonly get = (id: string): LiveTick | undefined => this.#shown.get(id);
  readonly newest = (): LiveTick | undefined => this.#newest;

  /** For a cell of one coin. */
  subscribe(id: string, listener: () => void): () => void {
    const listeners = this.#cells.get(id) ?? new Set();
    this.#cells.set(id, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** For lists of coins: called once per frame with the ids that changed. */
  readonly subscribeAll = (listener: (changed: ReadonlySet<string>) => void): (() => void) => {
    this.#boards.add(listener);
    return () => void this.#boards.delete(listener);
  };

  clear(): void {
    this.#arrived.clear();
    this.#shown.clear();
    this.#newest = undefined;
    this.#paintedAt = Number.NEGATIVE_INFINITY;
  }

  #paint(): void {
    this.#waiting = false;
    this.#paintedAt = this.#time.now();
    const changed = new Set(this.#arrived.keys());
    for (const [id, tick] of this.#arrived) {
      this.#shown.set(id, tick);
      if (!this.#newest || tick.at > this.#newest.at) this.#newest = tick;
    }
    this.#arrived.clear();
    for (const id of changed) for (const listener of this.#cells.get(id) ?? []) listener();
    for (const listener of this.#boards) listener(changed);
  }
}

export const ticks = new TickStore();

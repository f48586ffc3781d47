import { setTimeout as sleep } from 'node:timers/promises';

import { type Answer, call, type Said } from './call.ts';
import type { Fleet } from './fleet.ts';
import type { Cluster } from './postgres.ts';
import type { World } from './world.ts';

/** The state of one run. */
export type Night = {
  seed: number;
  folder: string;
  cluster: Cluster;
  fleet: Fleet;
  world: World;
  /** Entry point for users: the balancer. */
  origin: string;
  startedAt: Date;
  /** When the clocks were moved forward; null before. */
  endedAt: Date | null;
  /** How often connections were closed under a worker that survived. */
  interruptions: number;
  book: Book;
  tell: (line: string) => void;
};

/** Counts of acknowledged, refused and unknown outcomes. */
export class Book {
  readonly acknowledged = new Map<string, number>();
  readonly unsure = new Map<string, number>();
  readonly refused = new Map<string, number>();

  static #add(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  done(what: string): void {
    Book.#add(this.acknowledged, what);
  }
  doubt(what: string): void {
    Book.#add(this.unsure, what);
  }
  refuse(what: string): void {
    Book.#add(this.refused, what);
  }
}

/** A simulated user who acts until stopped, and then verifies the result. */
export type Client = {
  name: string;
  /** Stays until the very end, like an open page. */
  stays?: true;
  prepare?: () => Promise<void>;
  run: (signal: AbortSignal) => Promise<void>;
  /** Runs when everything has recovered and before the clocks are moved. */
  wind?: () => Promise<void>;
  /** What was lost, duplicated or wrong, one line each. */
  check: () => Promise<string[]>;
};

/** The response if accepted, or null: refused, or unknown. A server error counts as unknown. */
export async function ask(
  { origin, book }: Pick<Night, 'origin' | 'book'>,
  what: string,
  path: string,
  said: Said,
): Promise<Answer | null> {
  const answer = await call(origin, path, said).catch(() => null);
  if (!answer || answer.status >= 500) book.doubt(what);
  else if (answer.status >= 400) book.refuse(`${what} ${answer.status}`);
  else {
    book.done(what);
    return answer;
  }
  return null;
}

/** Retries until accepted: for the setup before the night, and for the checks after it. */
export async function insist(night: Pick<Night, 'origin'>, path: string, said: Said = {}): Promise<Answer> {
  let last: unknown;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    try {
      const answer = await call(night.origin, path, said);
      if (answer.status < 400) return answer;
      last = new Error(`${path} was answered with ${answer.status}: ${answer.body.toString().slice(0, 300)}`);
      if (answer.status < 500 && answer.status !== 429) throw last;
    } catch (error) {
      if (error === last) throw error;
      last = error;
    }
    await sleep(500);
  }
  throw last;
}

/** Repeats `work`, `pauseMs` apart. */
export async function each(signal: AbortSignal, pauseMs: number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

export async function within(limitMs: number, isSo: () => Promise<boolean>): Promise<number | null> {
  const begun = performance.now();
  while (performance.now() - begun < limitMs) {
    if (await isSo().catch(() => false)) return performance.now() - begun;
    await sleep(250);
  }
  return null;
}

import type { Due } from './due.ts';
import type { Levels } from './levels.ts';
import type { Schedule } from './types.ts';

export type Series = {
  name: string;
  value: number;
  at: number;
  knownAt: number;
  rising: Levels;
  falling: Levels;
  /** Legs to look at with the next value, whatever it is. */
  waiting: Set<number>;
  due: Due;
  legs: number;
};

/** What few rules have. */
export type Rare = {
  /** The slot of the second leg. */
  mate: number | null;
  holdMs: number;
  pendingSince: number | null;
  expiresAt: number | null;
  schedule: Schedule | null;
};

const FIRST_CAPACITY = 1024;

/** The parts of a status. */
export const STATE = 3;
export const KIND_SHIFT = 2;
export const KIND = 12;
export const ONCE = 16;
export const DONE = 32;
/** A rule that has a Rare. */
export const RARE = 64;
/** The other leg of a rule. */
export const MATE = 128;

type Column = Columns[keyof Columns];

/** A slot is a leg; that of a first leg is its rule too. */
export type Columns = {
  /** State and kind of the leg, and the flags of a rule at its first: this one byte settles most of what a value reaches. */
  status: Uint8Array;
  series: Uint32Array;
  /** The slot of the leg's rule. */
  rule: Uint32Array;
  low: Float64Array;
  high: Float64Array;
  outLow: Float64Array;
  outHigh: Float64Array;
  id: Float64Array;
  userId: Float64Array;
  version: Uint32Array;
  cooldownMs: Uint32Array;
  /** NaN before the first fire. */
  lastFiredAt: Float64Array;
  /** What the present tick has done to a rule. */
  marks: Uint8Array;
  /** The slots of the rules before and after it of the same person, each one more than it is; 0 at the ends. */
  previous: Uint32Array;
  next: Uint32Array;
};

const columns = (capacity: number): Columns => ({
  status: new Uint8Array(capacity),
  series: new Uint32Array(capacity),
  rule: new Uint32Array(capacity),
  low: new Float64Array(capacity),
  high: new Float64Array(capacity),
  outLow: new Float64Array(capacity),
  outHigh: new Float64Array(capacity),
  id: new Float64Array(capacity),
  userId: new Float64Array(capacity),
  version: new Uint32Array(capacity),
  cooldownMs: new Uint32Array(capacity),
  lastFiredAt: new Float64Array(capacity),
  marks: new Uint8Array(capacity),
  previous: new Uint32Array(capacity),
  next: new Uint32Array(capacity),
});

/** Typed arrays side by side that grow together, and the places in them that are free again. */
export class Slots {
  of = columns(FIRST_CAPACITY);
  /** Beyond this one none has been taken. */
  used = 0;
  #capacity = FIRST_CAPACITY;
  #free: number[] = [];

  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.used === this.#capacity) this.reserve(this.#capacity * 2);
    return this.used++;
  }

  release(slot: number): void {
    this.#free.push(slot);
  }

  /** Forgets them all. */
  clear(): void {
    this.used = 0;
    this.#free = [];
  }

  reserve(capacity: number): void {
    if (capacity <= this.#capacity) return;
    const grown = columns(capacity);
    for (const name of Object.keys(grown) as (keyof Columns)[]) grown[name].set(this.of[name]);
    this.of = grown;
    this.#capacity = capacity;
  }

  /** Makes the slots stand in this order. Every slot is in use. Gives where each has gone. */
  arrange(order: Uint32Array): Uint32Array {
    const places = new Uint32Array(order.length);
    for (let i = 0; i < order.length; i++) places[order[i] as number] = i;
    const was = this.of;
    const now = columns(this.#capacity);
    for (const name of Object.keys(now) as (keyof Columns)[]) {
      if (name === 'previous' || name === 'next' || name === 'marks') continue;
      pick(was[name], order, now[name]);
    }
    for (let i = 0; i < order.length; i++) now.rule[i] = places[now.rule[i] as number] as number;
    this.of = now;
    return places;
  }
}

function pick(from: Column, order: Uint32Array, to: Column): void {
  for (let i = 0; i < order.length; i++) to[i] = from[order[i] as number] as number;
}

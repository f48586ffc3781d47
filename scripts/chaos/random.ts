import { fraction } from '#sandbox/market/random.ts';

export type SeededRandom = {
  /** From `from` to `to`, inclusive. */
  integer: (from: number, to: number) => number;
  pick: <T>(list: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
};

/** The same seed gives the same sequence. `use` separates the sequences of different parts. */
export function createRandom(seed: number, stream: number): SeededRandom {
  let draws = 0;
  const next = () => {
    draws += 1;
    return fraction(seed, stream, draws);
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[integer(0, list.length - 1)];
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked;
  };
  return {
    integer,
    pick,
    shuffled(list) {
      const remaining = [...list];
      return list.map(() => remaining.splice(integer(0, remaining.length - 1), 1)[0] as (typeof list)[number]);
    },
  };
}

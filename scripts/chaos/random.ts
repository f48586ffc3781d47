import { fraction } from '#sandbox/market/random.ts';

export type Dice = {
  /** From `from` to `to`, inclusive. */
  whole: (from: number, to: number) => number;
  pick: <T>(list: readonly T[]) => T;
  shuffled: <T>(list: readonly T[]) => T[];
};

/** The same seed gives the same sequence. `use` separates the sequences of different parts. */
export function createDice(seed: number, use: number): Dice {
  let throws = 0;
  const next = () => {
    throws += 1;
    return fraction(seed, use, throws);
  };
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[whole(0, list.length - 1)];
    if (chosen === undefined) throw new Error('There is nothing to pick from');
    return chosen;
  };
  return {
    whole,
    pick,
    shuffled(list) {
      const left = [...list];
      return list.map(() => left.splice(whole(0, left.length - 1), 1)[0] as (typeof list)[number]);
    },
  };
}

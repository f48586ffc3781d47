const BURST = 30;
const PER_SECOND = 4;
const MOST_PEOPLE = 10_000;

/** Enough for a hand that drags a value, not for a script. */
export function createAllowance(now: () => Date) {
  const people = new Map<number, { left: number; at: number }>();
  return {
    /** Seconds to wait; 0 when it may go on. */
    take(userId: number): number {
      const at = now().getTime();
      const before = people.get(userId) ?? { left: BURST, at };
      const left = Math.min(BURST, before.left + (Math.max(0, at - before.at) / 1000) * PER_SECOND);
      people.delete(userId);
      if (people.size >= MOST_PEOPLE) people.delete(people.keys().next().value as number);
      people.set(userId, { left: left < 1 ? left : left - 1, at });
      return left < 1 ? Math.ceil((1 - left) / PER_SECOND) : 0;
    },
  };
}

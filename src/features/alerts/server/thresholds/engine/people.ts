import type { Slots } from './slots.ts';

/** The rules of each person: a chain through their slots, so that a million rules need no million sets. */
export function createPeople(slots: Slots) {
  /** The slot of the first rule. */
  const heads = new Map<number, number>();
  const userOf = (rule: number) => slots.of.userId[rule] as number;

  return {
    add(rule: number): void {
      const { previous, next } = slots.of;
      const head = heads.get(userOf(rule));
      previous[rule] = 0;
      next[rule] = head === undefined ? 0 : head + 1;
      if (head !== undefined) previous[head] = rule + 1;
      heads.set(userOf(rule), rule);
    },
    remove(rule: number): void {
      const { previous, next } = slots.of;
      const before = previous[rule] as number;
      const after = next[rule] as number;
      if (after > 0) previous[after - 1] = before;
      if (before > 0) next[before - 1] = after;
      else if (after > 0) heads.set(userOf(rule), after - 1);
      else heads.delete(userOf(rule));
    },
    /** Their ids. */
    rulesOf(userId: number): number[] {
      const ids: number[] = [];
      for (let at = (heads.get(userId) ?? -1) + 1; at > 0; at = slots.of.next[at - 1] as number)
        ids.push(slots.of.id[at - 1] as number);
      return ids;
    },
  };
}

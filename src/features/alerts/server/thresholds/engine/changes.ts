import type { Slots } from './slots.ts';
import type { Change, RuleState, Silence } from './types.ts';

type Reader = {
  idOf: (rule: number) => number;
  versionOf: (rule: number) => number;
  stateOf: (rule: number) => RuleState;
};

/** Lazy: of thousands of rules a value affects, few are read in detail. */
class Turned implements Change {
  rule = 0;
  fired = false;
  silenced: Silence | null = null;
  readonly #read: Reader;

  constructor(read: Reader) {
    this.#read = read;
  }
  get id(): number {
    return this.#read.idOf(this.rule);
  }
  get version(): number {
    return this.#read.versionOf(this.rule);
  }
  get state(): RuleState {
    return this.#read.stateOf(this.rule);
  }
}

/** The changes caused by one value. The objects are reused, so they are valid until the next value. */
export function createChanges(read: Reader) {
  const kept: Turned[] = [];
  let list: Change[] = [];
  let count = 0;
  return {
    clear() {
      count = 0;
    },
    add(rule: number, fired: boolean, silenced: Silence | null): void {
      if (count === kept.length) kept.push(new Turned(read));
      const change = kept[count++] as Turned;
      change.rule = rule;
      change.fired = fired;
      change.silenced = silenced;
    },
    list(): Change[] {
      if (list.length !== count) list = kept.slice(0, count);
      return list;
    },
  };
}

/** Rules per user as a linked list through their slots, so that a million rules need no million sets. */
export function createUserIndex(slots: Slots) {
  /** The slot of the first rule. */
  const heads = new Map<number, number>();
  const readUserId = (rule: number) => slots.of.userId[rule] as number;

  return {
    add(rule: number): void {
      const { previous, next } = slots.of;
      const head = heads.get(readUserId(rule));
      previous[rule] = 0;
      next[rule] = head === undefined ? 0 : head + 1;
      if (head !== undefined) previous[head] = rule + 1;
      heads.set(readUserId(rule), rule);
    },
    remove(rule: number): void {
      const { previous, next } = slots.of;
      const before = previous[rule] as number;
      const after = next[rule] as number;
      if (after > 0) previous[after - 1] = before;
      if (before > 0) next[before - 1] = after;
      else if (after > 0) heads.set(readUserId(rule), after - 1);
      else heads.delete(readUserId(rule));
    },
    /** Ids of the user's rules. */
    rulesOf(userId: number): number[] {
      const ids: number[] = [];
      for (let at = (heads.get(userId) ?? -1) + 1; at > 0; at = slots.of.next[at - 1] as number)
        ids.push(slots.of.id[at - 1] as number);
      return ids;
    },
  };
}

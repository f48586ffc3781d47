import type { Change, RuleState, Silence } from './types.ts';

type Reader = {
  idOf: (rule: number) => number;
  versionOf: (rule: number) => number;
  stateOf: (rule: number) => RuleState;
};

/** What is not asked for is not worked out: of thousands that a value turns, few are looked at twice. */
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

/** The changes of one value. They are made once and used again, so what they say holds until the next value. */
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

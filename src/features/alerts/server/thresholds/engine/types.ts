/**
 * One value of one series. `at` is the source's own time, ms since epoch, and gives the order; `knownAt` is when the value was
 * known, if that is another moment: schedule, expiry and cooldown go by it. All are finite.
 */
export type Tick = { series: string; value: number; at: number; knownAt?: number };

/**
 * A condition as the engine sees it. `above` holds from `high` up until the value is back at `low`, `below` from `low` down until it
 * is back at `high`; `inside` holds between the two; `touch` is reached from either side and is over once the value is `margin` away.
 */
export type Leg = {
  series: string;
  kind: 'above' | 'below' | 'inside' | 'touch';
  low: number;
  high: number;
  margin: number;
};

/** 0 not known, 1 off, 2 on, 3 off from above (a touch only). */
export type LegState = 0 | 1 | 2 | 3;

export type Schedule = { days: readonly number[]; from: string; to: string; timeZone: string };

/** A rule with everything worked out. Times in ms. */
export type CompiledRule = {
  id: number;
  userId: number;
  /** Grows with what the rule says. */
  version: number;
  /** One, or two that must hold together. */
  legs: readonly Leg[];
  once: boolean;
  cooldownMs: number;
  holdMs: number;
  expiresAt: number | null;
  schedule: Schedule | null;
};

/** What changes by ticks and has to be kept. */
export type RuleState = {
  first: LegState;
  second: LegState;
  pendingSince: number | null;
  lastFiredAt: number | null;
  done: boolean;
};

/** Why a crossing made no alert. */
export type Silence = 'cooldown' | 'schedule' | 'expired';

/** A rule whose state a tick has changed. `fired` and `silenced` exclude each other. */
export type Change = {
  id: number;
  version: number;
  state: RuleState;
  fired: boolean;
  silenced: Silence | null;
};

export type Stateful = { rule: CompiledRule; state: RuleState };

/** What the last values do not settle is settled by the next one of each series. */
export type Loading = { take: (rule: Stateful) => void; done: () => void };

export type Engine = {
  size: () => number;
  has: (id: number) => boolean;
  /** The last value of a series that was judged. */
  value: (series: string) => { value: number; at: number } | undefined;
  /** The series that rules watch. */
  watching: () => string[];
  /** The last values of what a rule watches. */
  seen: (id: number) => Tick[];
  version: (id: number) => number | undefined;
  rulesOf: (users: ReadonlySet<number>) => number[];
  state: (id: number) => RuleState | undefined;
  /** A value that was judged before the rules were loaded: it is where the next one comes from. */
  recall: (tick: Tick) => void;
  /** Many rules into an empty engine. They are there once it is done. */
  load: () => Loading;
  /**
   * Takes a rule in, instead of one of the same id. The present value is judged at once, unless it no longer speaks for the
   * present: then the next one is. Gives what that changed.
   */
  add: (rule: CompiledRule, state: RuleState, isPresent?: boolean) => Change | null;
  remove: (id: number) => boolean;
  /** Judges a value: the rules whose state it changed. The list is valid until the next call. */
  tick: (tick: Tick) => Change[];
};

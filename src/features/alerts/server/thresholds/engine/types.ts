/**
 * One value of a series. `at` is the source's time, ms since epoch, and defines the order; `knownAt` is when the value
 * became known, if different: schedule, expiry and cooldown use it. All are finite.
 */
export type Tick = { series: string; value: number; at: number; knownAt?: number };

/**
 * A condition as evaluated by the engine. `above` holds from `high` up until the value is back at `low`, `below` from
 * `low` down until it is back at `high`; `inside` holds between the two; `touch` is reached from either side and ends
 * once the value is `margin` away.
 */
export type Leg = {
  series: string;
  kind: 'above' | 'below' | 'inside' | 'touch';
  low: number;
  high: number;
  margin: number;
};

/** 0 unknown, 1 off, 2 on, 3 off from above (touch only). */
export type LegState = 0 | 1 | 2 | 3;

export type Schedule = { days: readonly number[]; from: string; to: string; timeZone: string };

/** A compiled rule. Times in ms. */
export type CompiledRule = {
  id: number;
  userId: number;
  /** Incremented when the meaning of the rule changes. */
  version: number;
  /** One, or two that must hold together. */
  legs: readonly Leg[];
  once: boolean;
  cooldownMs: number;
  holdMs: number;
  expiresAt: number | null;
  schedule: Schedule | null;
};

/** The state that ticks change and that must be stored. */
export type RuleState = {
  first: LegState;
  second: LegState;
  pendingSince: number | null;
  lastFiredAt: number | null;
  done: boolean;
};

/** Why a crossing raised no alert. */
export type Silence = 'cooldown' | 'schedule' | 'expired';

/** A rule whose state a tick has changed. `fired` and `silenced` are mutually exclusive. */
export type Change = {
  id: number;
  version: number;
  state: RuleState;
  fired: boolean;
  silenced: Silence | null;
};

export type Stateful = { rule: CompiledRule; state: RuleState };

/** Rules not determined by the last values are evaluated with the next value of each series. */
export type Loading = { take: (rule: Stateful) => void; done: () => void };

export type Engine = {
  size: () => number;
  has: (id: number) => boolean;
  /** The last evaluated value of a series. */
  value: (series: string) => { value: number; at: number } | undefined;
  /** Series watched by rules. */
  watching: () => string[];
  /** The last values of the series a rule watches. */
  seen: (id: number) => Tick[];
  version: (id: number) => number | undefined;
  rulesOf: (users: ReadonlySet<number>) => number[];
  state: (id: number) => RuleState | undefined;
  /** Restores a value evaluated before the rules were loaded, as the starting point of the next one. */
  recall: (tick: Tick) => void;
  /** Bulk load into an empty engine. The rules become visible when done. */
  load: () => Loading;
  /**
   * Adds a rule, replacing one with the same id. It is evaluated with the current value at once, unless that is
   * outdated: then with the next one. Returns the resulting change.
   */
  add: (rule: CompiledRule, state: RuleState, isPresent?: boolean) => Change | null;
  remove: (id: number) => boolean;
  /** Evaluates a value and returns the rules whose state changed. The list is valid until the next call. */
  tick: (tick: Tick) => Change[];
};

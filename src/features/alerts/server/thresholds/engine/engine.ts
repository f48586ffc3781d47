import { createChanges, createUserIndex } from './changes.ts';
import { ABOVE, BELOW, createLegs, holds, OFF, ON, PASSED, toLegState, UNKNOWN } from './legs.ts';
import { Reached } from './levels.ts';
import { isWithin } from './schedule.ts';
import { DONE, Ids, KIND, KIND_SHIFT, MATE, ONCE, RARE, type Rare, STATE } from './slots.ts';
import type { CompiledRule, Engine, RuleState, Silence } from './types.ts';

// Marks set on a rule by a tick.
const TOUCHED = 1;
const TURNED_ON = 2;
const DUE = 4;
const FIRST_PASSED = 8;
const SECOND_PASSED = 16;

/**
 * Evaluates values against rules. Levels are sorted, so that the cost of a value depends on what it reaches, not on the
 * number of rules.
 */
export function createEngine(): Engine {
  const { slots, byName, seriesOf, seriesAt, placeLeg, link, removeLeg, resultOf, arrange, fillLevels } = createLegs();
  const byId = new Ids();
  const people = createUserIndex(slots);
  const rares = new Map<number, Rare>();
  const reached = new Reached();
  const touched: number[] = [];

  const readStatus = (slot: number) => slots.of.status[slot] as number;
  const isOn = (slot: number) => (readStatus(slot) & STATE) === ON;
  const findRare = (rule: number) => (readStatus(rule) & RARE ? rares.get(rule) : undefined);
  const changes = createChanges({
    idOf: (rule) => slots.of.id[rule] as number,
    versionOf: (rule) => slots.of.version[rule] as number,
    stateOf: (rule) => stateAt(rule, findRare(rule)),
  });

  /** The rule becomes visible by id and user once it is registered. */
  function place(rule: CompiledRule, state: RuleState): number {
    const [first, second] = rule.legs;
    if (!first) throw new Error(`Rule ${rule.id} has no condition`);
    const slot = placeLeg(first, state.first, null);
    const mate = second ? placeLeg(second, state.second, slot) : null;
    const { holdMs, expiresAt, schedule } = rule;
    const isRare = mate !== null || holdMs > 0 || expiresAt !== null || schedule !== null;
    const { pendingSince } = state;
    if (isRare) rares.set(slot, { mate, holdMs, expiresAt, schedule, pendingSince: holdMs > 0 ? pendingSince : null });
    const { of } = slots;
    of.id[slot] = rule.id;
    of.userId[slot] = rule.userId;
    of.version[slot] = rule.version;
    of.cooldownMs[slot] = rule.cooldownMs;
    of.lastFiredAt[slot] = state.lastFiredAt ?? NaN;
    of.status[slot] = readStatus(slot) | (rule.once ? ONCE : 0) | (state.done ? DONE : 0) | (isRare ? RARE : 0);
    of.marks[slot] = 0;
    return slot;
  }

  function enter(rule: number): void {
    byId.set(slots.of.id[rule] as number, rule);
    people.add(rule);
    const rare = findRare(rule);
    if (rare && rare.pendingSince !== null) wait(rule, rare, rare.pendingSince);
  }

  const pairedLegs = (rule: number, mate: number | null | undefined) => (mate == null ? [rule] : [rule, mate]);

  function wait(rule: number, rare: Rare, since: number): void {
    rare.pendingSince = since;
    for (const leg of pairedLegs(rule, rare.mate)) seriesAt(leg).due.set(rule, since + rare.holdMs);
  }
  function stopWaiting(rule: number, rare: Rare): void {
    rare.pendingSince = null;
    for (const leg of pairedLegs(rule, rare.mate)) seriesAt(leg).due.delete(rule);
  }

  /** Without `knownAt` only marks are set, for `judge`. */
  function evaluateLeg(slot: number, value: number, knownAt?: number): void {
    const { status, rule, marks } = slots.of;
    const before = readStatus(slot) & STATE;
    const result = resultOf(slot, value);
    if (result === before) return;
    status[slot] = (readStatus(slot) & ~STATE) | (result & STATE);
    const owner = rule[slot] as number;
    // Most rules have a single leg and no options: its result is the rule's.
    if (knownAt !== undefined && !(readStatus(owner) & (RARE | DONE))) {
      change(owner, undefined, before !== UNKNOWN && holds(result), knownAt);
      return;
    }
    let mark = marks[owner] as number;
    if (mark === 0) touched.push(owner);
    mark |= TOUCHED;
    if (before !== UNKNOWN && holds(result)) mark |= TURNED_ON;
    if (result & PASSED) mark |= owner === slot ? FIRST_PASSED : SECOND_PASSED;
    marks[owner] = mark;
  }

  function stateAt(rule: number, rare: Rare | undefined): RuleState {
    const last = slots.of.lastFiredAt[rule] as number;
    return {
      first: toLegState(readStatus(rule)),
      second: rare?.mate == null ? UNKNOWN : toLegState(readStatus(rare.mate)),
      pendingSince: rare?.pendingSince ?? null,
      lastFiredAt: Number.isNaN(last) ? null : last,
      done: (readStatus(rule) & DONE) !== 0,
    };
  }

  function findSilence(rule: number, rare: Rare | undefined, knownAt: number): Silence | null {
    if (rare?.expiresAt != null && knownAt >= rare.expiresAt) return 'expired';
    if (rare?.schedule && !isWithin(rare.schedule, knownAt)) return 'schedule';
    // False before the first fire: comparisons with NaN are.
    return knownAt - (slots.of.lastFiredAt[rule] as number) < (slots.of.cooldownMs[rule] as number) ? 'cooldown' : null;
  }

  /** Whether the tick's effect lets the rule fire, if nothing suppresses it. */
  function startHolding(rule: number, rare: Rare | undefined, mark: number, at: number): boolean {
    if (!rare) return (mark & TURNED_ON) !== 0;
    const stays = isOn(rule) && (rare.mate === null || isOn(rare.mate));
    if (rare.pendingSince !== null) {
      const isDue = stays && mark & DUE;
      if (!stays || isDue) stopWaiting(rule, rare);
      return Boolean(isDue);
    }
    if (!(mark & TURNED_ON)) return false;
    if (rare.holdMs > 0) {
      if (stays) wait(rule, rare, at);
      return false;
    }
    const first = isOn(rule) || mark & FIRST_PASSED;
    const second = rare.mate === null || isOn(rare.mate) || mark & SECOND_PASSED;
    return Boolean(first && second);
  }

  function change(rule: number, rare: Rare | undefined, crossed: boolean, knownAt: number): void {
    const silenced = crossed ? findSilence(rule, rare, knownAt) : null;
    const fired = crossed && silenced === null;
    if (fired) {
      slots.of.lastFiredAt[rule] = knownAt;
      if (readStatus(rule) & ONCE) slots.of.status[rule] = readStatus(rule) | DONE;
    }
    changes.add(rule, fired, silenced);
  }

  function evaluateRule(rule: number, at: number, knownAt: number): void {
    const { marks } = slots.of;
    const mark = marks[rule] as number;
    marks[rule] = 0;
    if (readStatus(rule) & DONE) return;
    const rare = findRare(rule);
    change(rule, rare, startHolding(rule, rare, mark, at), knownAt);
  }

  /**
   * Evaluates what a value has reached. For a plain rule the level alone determines the condition: only its status is
   * read unless it changes.
   */
  function evaluateReached(value: number, rising: boolean, knownAt: number): void {
    const turnsOn = rising ? ABOVE : BELOW;
    const { status } = slots.of;
    for (let i = 0; i < reached.count; i++) {
      const slot = reached.slots[i] as number;
      const was = status[slot] as number;
      const kind = (was & KIND) >> KIND_SHIFT;
      if (kind > BELOW || was & (RARE | MATE)) {
        evaluateLeg(slot, value, knownAt);
        continue;
      }
      const now = kind === turnsOn ? ON : OFF;
      if ((was & STATE) === now) continue;
      status[slot] = (was & ~STATE) | now;
      if (!(was & DONE)) change(slot, undefined, now === ON && (was & STATE) !== UNKNOWN, knownAt);
    }
  }

  /** Sorts all newly placed legs. */
  function settle(): void {
    const places = arrange();
    const moved = [...rares];
    rares.clear();
    for (const [slot, rare] of moved) {
      if (rare.mate !== null) rare.mate = places[rare.mate] as number;
      rares.set(places[slot] as number, rare);
    }
    fillLevels();
    byId.reserve(slots.used);
    for (let slot = 0; slot < slots.used; slot++) {
      if (!(readStatus(slot) & MATE)) enter(slot);
      const series = seriesAt(slot);
      const isSettled = !Number.isNaN(series.value) && resultOf(slot, series.value) === (readStatus(slot) & STATE);
      if (!isSettled) series.waiting.add(slot);
    }
  }

  function remove(id: number): boolean {
    const rule = byId.get(id);
    if (rule < 0) return false;
    const rare = findRare(rule);
    if (rare) stopWaiting(rule, rare);
    people.remove(rule);
    removeLeg(rule);
    if (rare?.mate != null) removeLeg(rare.mate);
    if (rare) rares.delete(rule);
    byId.delete(id);
    return true;
  }

  return {
    size: () => byId.size,
    has: (id) => byId.has(id),
    value(name) {
      const series = byName.get(name);
      return series && !Number.isNaN(series.value) ? { value: series.value, at: series.at } : undefined;
    },
    watching: () => [...byName.values()].flatMap(({ name, legs }) => (legs > 0 ? [name] : [])),
    seen(id) {
      const rule = byId.get(id);
      if (rule < 0) return [];
      return pairedLegs(rule, findRare(rule)?.mate).map((leg) => {
        const { name, value, at } = seriesAt(leg);
        return { series: name, value, at };
      });
    },
    version(id) {
      const rule = byId.get(id);
      return rule < 0 ? undefined : slots.of.version[rule];
    },
    rulesOf: (users) => [...users].flatMap((userId) => people.rulesOf(userId)),
    state(id) {
      const rule = byId.get(id);
      return rule < 0 ? undefined : stateAt(rule, findRare(rule));
    },
    recall({ series: name, value, at, knownAt = at }) {
      Object.assign(seriesOf(name), { value, at, knownAt });
    },
    load() {
      if (byId.size > 0) throw new Error('Rules are loaded into an empty engine');
      slots.clear();
      return { take: ({ rule, state }) => void place(rule, state), done: settle };
    },
    add(rule, state, isPresent = true) {
      remove(rule.id);
      const slot = place(rule, state);
      enter(slot);
      touched.length = 0;
      let at = -Infinity;
      let knownAt = -Infinity;
      for (const leg of pairedLegs(slot, findRare(slot)?.mate)) {
        const series = seriesAt(leg);
        link(leg);
        if (Number.isNaN(series.value) || !isPresent) series.waiting.add(leg);
        else evaluateLeg(leg, series.value);
        at = Math.max(at, series.at);
        knownAt = Math.max(knownAt, series.knownAt);
      }
      changes.clear();
      if (touched.length > 0) evaluateRule(slot, at, knownAt);
      return changes.list()[0] ?? null;
    },
    remove,
    tick({ series: name, value, at, knownAt = at }) {
      changes.clear();
      const series = seriesOf(name);
      if (at < series.at || !Number.isFinite(value)) return changes.list();
      const before = series.value;
      series.value = value;
      series.at = at;
      series.knownAt = knownAt;
      reached.count = 0;
      touched.length = 0;
      if (value > before) series.rising.reached(before, value, reached);
      else if (value < before) series.falling.reached(before, value, reached);
      evaluateReached(value, value > before, knownAt);
      for (const slot of series.waiting) evaluateLeg(slot, value, knownAt);
      series.waiting.clear();
      for (let rule = series.due.take(at); rule !== undefined; rule = series.due.take(at)) {
        if (slots.of.marks[rule] === 0) touched.push(rule);
        slots.of.marks[rule] = (slots.of.marks[rule] as number) | DUE;
      }
      for (let i = 0; i < touched.length; i++) evaluateRule(touched[i] as number, at, knownAt);
      return changes.list();
    },
  };
}

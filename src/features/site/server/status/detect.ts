import type { ComponentId, MinuteState } from '#features/site/contract/status.ts';

export const MINUTE_MS = 60_000;

/** From the start of one minute up to another, in ms. */
export type Span = { from: number; to: number };

export const spanMinutes = ({ from, to }: Span): number[] =>
  Array.from({ length: Math.max(0, Math.round((to - from) / MINUTE_MS)) }, (_, n) => from + n * MINUTE_MS);

/** A minute is operational when any process reported in it. */
export const beatStates = (span: Span, beats: ReadonlySet<number>): MinuteState[] =>
  spanMinutes(span).map((minute) => (beats.has(minute) ? 'operational' : 'down'));

export type Limits = { lateMs: number; downMs: number };

/**
 * By the age of each series' newest signal at the end of a minute: degraded when any was late, down when all were older
 * than `downMs`. `signals` are ascending times, from `downMs` before the span on.
 */
export function freshStates(span: Span, signals: readonly (readonly number[])[], limits: Limits): MinuteState[] {
  const next = signals.map(() => 0);
  return spanMinutes(span).map((minute) => {
    const end = minute + MINUTE_MS;
    const ages = signals.map((times, i) => {
      let at = next[i] ?? 0;
      while ((times[at] ?? Number.POSITIVE_INFINITY) <= end) at += 1;
      next[i] = at;
      return at === 0 ? Number.POSITIVE_INFINITY : end - (times[at - 1] ?? Number.NEGATIVE_INFINITY);
    });
    if (Math.min(Number.POSITIVE_INFINITY, ...ages) > limits.downMs) return 'down';
    return ages.some((age) => age > limits.lateMs) ? 'degraded' : 'operational';
  });
}

export const OVERDUE: Limits = { lateMs: 10 * MINUTE_MS, downMs: 60 * MINUTE_MS };

/** Down while no process delivers; else by how long the oldest pending delivery has been due. */
export function deliveryStates(span: Span, beats: ReadonlySet<number>, oldestDue: number | null): MinuteState[] {
  return spanMinutes(span).map((minute) => {
    const overdue = oldestDue === null ? 0 : minute + MINUTE_MS - oldestDue;
    if (!beats.has(minute) || overdue > OVERDUE.downMs) return 'down';
    return overdue > OVERDUE.lateMs ? 'degraded' : 'operational';
  });
}

/** Consecutive minutes before an incident starts: two without any process, ten for anything else. */
const PATIENCE: Record<ComponentId, number> = {
  website: 2,
  database: 2,
  prices: 10,
  collection: 10,
  slow: 10,
  alerts: 10,
};

export type Found = { startsAt: number; components: ComponentId[]; impact: 'minor' | 'major' };
export type Open = Found & { id: number | null };
export type Ended = Open & { endsAt: number };
export type Lapses = Map<ComponentId, number>;

/**
 * Processes the minutes of all components together: concurrent outages form one incident, which ends when all of its
 * components have recovered. `lapses` holds since when each has been failing; it is carried over to the next span.
 */
export function detect(
  { from, to }: Span,
  states: ReadonlyMap<ComponentId, { from: number; states: readonly MinuteState[] }>,
  lapses: Lapses,
  before: Open | null,
): { lapses: Lapses; open: Open | null; ended: Ended[] } {
  const since = new Map(lapses);
  const ended: Ended[] = [];
  let open = before;
  for (let minute = from; minute < to; minute += MINUTE_MS) {
    for (const [component, known] of states) {
      const state = known.states[Math.round((minute - known.from) / MINUTE_MS)];
      if (state === undefined) continue;
      if (state === 'operational') {
        since.delete(component);
        continue;
      }
      const start = since.get(component) ?? minute;
      since.set(component, start);
      if ((minute - start) / MINUTE_MS + 1 >= PATIENCE[component]) open = joined(open, component, start, state);
    }
    if (open?.components.every((component) => !since.has(component))) {
      ended.push({ ...open, endsAt: minute });
      open = null;
    }
  }
  return { lapses: since, open, ended };
}

function joined(open: Open | null, component: ComponentId, start: number, state: MinuteState): Open {
  const { id, startsAt, components, impact }: Open = open ?? {
    id: null,
    startsAt: start,
    components: [],
    impact: 'minor',
  };
  return {
    id,
    startsAt: Math.min(startsAt, start),
    components: components.includes(component) ? components : [...components, component],
    impact: state === 'down' ? 'major' : impact,
  };
}

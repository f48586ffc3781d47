import type { ComponentId, MinuteState } from '#features/site/contract/status.ts';

export const MINUTE_MS = 60_000;

/** From the start of a minute to before another one, in ms. */
export type Span = { from: number; to: number };

export const minutesOf = ({ from, to }: Span): number[] =>
  Array.from({ length: Math.max(0, Math.round((to - from) / MINUTE_MS)) }, (_, n) => from + n * MINUTE_MS);

/** A minute is well when anybody reported in it. */
export const beatStates = (span: Span, beats: ReadonlySet<number>): MinuteState[] =>
  minutesOf(span).map((minute) => (beats.has(minute) ? 'operational' : 'down'));

export type Limits = { lateMs: number; downMs: number };

/**
 * By how old the newest signal of each series was at the end of a minute: degraded when any was late, down when all
 * were older than that. `signals` are times in ascending order, from `downMs` before the span on.
 */
export function freshStates(span: Span, signals: readonly (readonly number[])[], limits: Limits): MinuteState[] {
  const next = signals.map(() => 0);
  return minutesOf(span).map((minute) => {
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

/** Down while no process delivers; else by how long the oldest delivery that still waits has been due. */
export function deliveryStates(span: Span, beats: ReadonlySet<number>, oldestDue: number | null): MinuteState[] {
  return minutesOf(span).map((minute) => {
    const overdue = oldestDue === null ? 0 : minute + MINUTE_MS - oldestDue;
    if (!beats.has(minute) || overdue > OVERDUE.downMs) return 'down';
    return overdue > OVERDUE.lateMs ? 'degraded' : 'operational';
  });
}

/** Minutes in a row after which an incident begins: nobody at all for two, anything else that is not well for ten. */
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
 * Goes through the minutes of all components together: what is not well at once is one incident, which ends when all
 * of its components are well. `lapses` says since when each has not been well; it is carried on to the next span.
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

import type { ComponentId, MinuteState } from '#features/site/contract/status.ts';
import { MINUTE_MS, type Span } from './states.ts';

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

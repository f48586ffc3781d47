import type { Inflation, Print } from '#features/inflation/server/service.ts';
import { easternDay } from '#shared/release-calendar.ts';

import { addDays } from '../days.ts';
import type { Figures } from '../types.ts';

export const STUDIED = ['cpi', 'pce', 'ppi'] as const;
export type Studied = (typeof STUDIED)[number];
export const isStudied = (kind: string | null): kind is Studied => STUDIED.some((each) => each === kind);

/** A release that is no further from the last print belongs to the month after it. */
const NEXT_WITHIN_DAYS = 45;

/** `+0.3%`, as the agencies write a change from the month before. */
export function percent(value: number | null): string | null {
  if (value === null) return null;
  const tenths = Math.round(Math.abs(value) * 10) / 10;
  const sign = tenths === 0 ? '' : value < 0 ? '−' : '+';
  return `${sign}${tenths.toFixed(1)}%`;
}

export type FiguresOf = (kind: string | null, at: Date) => Figures | null;

type Looked = { byDay: ReadonlyMap<string, Print>; last: Print | undefined };

/** What the official prices say of a release; the prints of each kind are looked up once. */
export function createFigures(inflation: Pick<Inflation, 'prints'>): FiguresOf {
  const known = new Map<Studied, Looked>();
  const look = (kind: Studied): Looked => {
    const found = known.get(kind);
    if (found) return found;
    const prints = inflation.prints(kind);
    // Where two months came on one day, the later one is what was new.
    const looked = {
      byDay: new Map(prints.map((print) => [easternDay(print.releasedAt), print])),
      last: prints.at(-1),
    };
    known.set(kind, looked);
    return looked;
  };
  return (kind, at) => {
    if (!isStudied(kind)) return null;
    const { byDay, last } = look(kind);
    const print = byDay.get(easternDay(at));
    if (print)
      return {
        actual: percent(print.actual),
        forecast: percent(print.consensus),
        previous: percent(print.previous),
      };
    const isNext = last && at > last.releasedAt && at <= addDays(last.releasedAt, NEXT_WITHIN_DAYS);
    return isNext && last.actual !== null ? { actual: null, forecast: null, previous: percent(last.actual) } : null;
  };
}

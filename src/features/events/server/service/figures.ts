import type { Inflation } from '#features/inflation/server/service.ts';
import { easternDay } from '#shared/release-calendar.ts';

import { addDays } from '../days.ts';
import type { Figures } from '../types.ts';

export const STUDIED = ['cpi', 'pce', 'ppi'] as const;
export type Studied = (typeof STUDIED)[number];
export const isStudied = (kind: string | null): kind is Studied => STUDIED.some((each) => each === kind);

/** A release that is no further from the last print belongs to the month after it. */
const NEXT_WITHIN_DAYS = 45;

/** `+0.3 %`, as the agencies write a change from the month before. */
export function percent(value: number | null): string | null {
  if (value === null) return null;
  const tenths = Math.round(Math.abs(value) * 10) / 10;
  const sign = tenths === 0 ? '' : value < 0 ? '−' : '+';
  return `${sign}${tenths.toFixed(1)} %`;
}

export type FiguresOf = (kind: string | null, at: Date) => Figures | null;

/** What the official prices say of a release; each kind is looked up once. */
export function createFigures(inflation: Pick<Inflation, 'prints'>): FiguresOf {
  const known = new Map<Studied, ReturnType<Inflation['prints']>>();
  return (kind, at) => {
    if (!isStudied(kind)) return null;
    const prints = known.get(kind) ?? inflation.prints(kind);
    known.set(kind, prints);
    const day = easternDay(at);
    const print = prints.findLast(({ releasedAt }) => easternDay(releasedAt) === day);
    if (print)
      return {
        actual: percent(print.actual),
        forecast: percent(print.consensus),
        previous: percent(print.previous),
      };
    const last = prints.at(-1);
    const isNext = last && at > last.releasedAt && at <= addDays(last.releasedAt, NEXT_WITHIN_DAYS);
    return isNext && last.actual !== null ? { actual: null, forecast: null, previous: percent(last.actual) } : null;
  };
}

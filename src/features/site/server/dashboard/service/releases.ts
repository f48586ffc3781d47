import type { Event } from '#features/events/contract.ts';
import type { Events } from '#features/events/server/service.ts';
import { INDICATORS, type Indicator } from '#features/inflation/contract.ts';
import type { Inflation, ReleaseResult } from '#features/inflation/server/service.ts';
import type { Change } from '#features/site/contract/dashboard.ts';
import { type FigureOrigin, hasOrigin } from '#shared/figures.ts';
import { percent } from '#shared/format.ts';
import type { DataMode, Method } from '#shared/provenance.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const modeMethod = (mode: DataMode): Method => (mode === 'demo' ? 'demo' : 'computed');

/** A change computed by Meridian. */
export const computed = (
  mode: DataMode,
  metric: string,
  at: string,
  from: Partial<FigureOrigin> = {},
): FigureOrigin => ({
  metric,
  source: 'Meridian',
  method: modeMethod(mode),
  observedAt: at,
  fetchedAt: at,
  staleAfter: new Date(Date.parse(at) + HOUR_MS).toISOString(),
  ...from,
});

export type ReleaseDeps = {
  inflation: Pick<Inflation, 'newestPrint' | 'latest'>;
  events: Pick<Events, 'list'>;
  mode: DataMode;
};

function releaseChange(
  { inflation }: ReleaseDeps,
  type: Indicator,
  { actual, consensus, nowcast }: ReleaseResult,
): Change[] {
  const meta = inflation.latest()[type]?.meta[`${type}MoM`];
  if (actual === null || !hasOrigin(meta)) return [];
  const expected = consensus ?? nowcast;
  const against = expected === null ? '' : `, ${percent(expected, 1)} expected`;
  return [
    {
      kind: 'release',
      text: `${type.toUpperCase()} ${percent(actual, 1)} MoM${against}`,
      tone: 'neutral',
      href: '/app#inflation',
      meta,
    },
  ];
}

function eventChange({ mode }: ReleaseDeps, { title, figures, date, checkedAt, source }: Event): Change[] {
  if (!title || !figures?.actual) return [];
  const expected = figures.forecast === null ? '' : `, ${figures.forecast} expected`;
  return [
    {
      kind: 'release',
      text: `${title} ${figures.actual}${expected}`,
      tone: 'neutral',
      href: '/app/events',
      meta: computed(mode, 'change.release', date, {
        source: source ?? 'Calendar',
        ...(mode === 'demo' ? {} : { method: 'measured' }),
        fetchedAt: checkedAt,
        staleAfter: new Date(Date.parse(date) + WEEK_MS).toISOString(),
        ...(figures.previous === null ? {} : { terms: `Previous: ${figures.previous}` }),
      }),
    },
  ];
}

/** Inflation releases, then other high-impact releases, newest first. */
export function releaseChanges(deps: ReleaseDeps, since: Date): Change[] {
  const prints = INDICATORS.flatMap((type) => {
    const print = deps.inflation.newestPrint(type);
    return print && print.releasedAt > since ? [{ type, print }] : [];
  }).toSorted((a, b) => b.print.releasedAt.getTime() - a.print.releasedAt.getTime());
  const events = deps.events
    .list()
    .filter(({ status, impact, date, category }) => {
      const isOther = status === 'past' && impact === 'high' && category !== 'inflation';
      return isOther && Date.parse(date) > since.getTime();
    })
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
  return [
    ...prints.flatMap(({ type, print }) => releaseChange(deps, type, print)),
    ...events.flatMap((event) => eventChange(deps, event)),
  ];
}

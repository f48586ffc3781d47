import {
  type Event,
  type EventImpact,
  eventsTopic,
  type UpcomingCounts,
  type UpcomingEvent,
} from '#features/events/contract.ts';
import type { EventsContext } from './context.ts';
import { addDays } from './rules.ts';
import type { Dated } from './service/feed.ts';
import { choose, standing } from './service/merge-statements.ts';
import { readKept } from './service/moderate.ts';
import { createFigures, type Kept, lightEvent, publicEvents, toEvent } from './service/view.ts';
import { ADAPTERS } from './sources.ts';

/** `at` in ISO; `source` is the display name. */
type ModelEvent = { title: string; at: string; impact: EventImpact; source: string };

const MAX_FOR_MODELS = 30;
const EXCLUDED = new Set(ADAPTERS.filter(({ excludesModels }) => excludesModels).map(({ source, as }) => as ?? source));
const ORDER: Record<EventImpact, number> = { high: 0, medium: 1, low: 2 };

/**
 * Scheduled events known at `from`, in time order; the most important ones if there are too many. Texts and times come
 * only from sources whose terms allow use with models.
 */
async function readForModels(ctx: EventsContext, from: Date, to: Date): Promise<ModelEvent[]> {
  const kept = await readKept(ctx, { from, to });
  const known = kept.flatMap(({ event, statements }): ModelEvent[] => {
    if (event.ignored_at !== null || new Date(event.first_seen_at) > from) return [];
    const allowed = standing(statements).filter(({ source }) => !EXCLUDED.has(source));
    if (allowed.length === 0) return [];
    const { title, kind, at, impact, source } = choose(allowed);
    const name = title ?? kind;
    return name === null
      ? []
      : [{ title: name, at, impact: impact as EventImpact, source: source ?? 'Unknown source' }];
  });
  return known
    .toSorted((a, b) => ORDER[a.impact] - ORDER[b.impact] || a.at.localeCompare(b.at))
    .slice(0, MAX_FOR_MODELS)
    .toSorted((a, b) => a.at.localeCompare(b.at));
}

export type { EventsContext } from './context.ts';

const PAST_DAYS = 8;
/** Relative times change by the minute, so the result is reused within a second. */
const DRAWN_MS = 1000;
/** Maximum for the dashboard card. */
const MAX_UPCOMING = 60;

export type Events = {
  ctx: EventsContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** Current public events. */
  list: () => Event[];
  /** The next ones, for the dashboard; null before the first collection. */
  upcoming: () => UpcomingEvent[] | null;
  /** Number of upcoming events by impact. */
  counts: () => UpcomingCounts;
  /** Public events with the time of their last change. */
  dated: () => Dated[];
  /** Events up to `to` known at `from`, limited to the most important, in time order. */
  forModels: (from: Date, to: Date) => Promise<ModelEvent[]>;
  /** Windows each event has entered; it may have left them since. */
  windows: () => Map<number, { days: number; enteredAt: string }[]>;
};

/** The calendar of this process, synchronised with the database by the live topic. */
export function createEvents(ctx: EventsContext): Events {
  const handlers = new Set<() => void>();
  let kept: Kept[] = [];
  let own = createFigures(ctx.inflation);

  async function reload(): Promise<void> {
    kept = await readKept(ctx, { from: addDays(ctx.now(), -PAST_DAYS) });
    notifyHandlers();
  }

  let drawn: { at: number; events: Event[] } | null = null;

  const notifyHandlers = () => {
    drawn = null;
    for (const handler of handlers) handler();
  };

  function list(): Event[] {
    const now = ctx.now();
    const age = drawn ? now.getTime() - drawn.at : -1;
    if (drawn && age >= 0 && age < DRAWN_MS) return drawn.events;
    const events = publicEvents(
      kept.map((each) => toEvent(each, now, own)),
      now,
    );
    drawn = { at: now.getTime(), events };
    return events;
  }

  const ahead = () => list().filter(({ status }) => status === 'upcoming');

  return {
    ctx,
    async start() {
      ctx.live.on(eventsTopic, reload);
      ctx.live.onGap(reload);
      ctx.inflation.onChange(() => {
        own = createFigures(ctx.inflation);
        notifyHandlers();
      });
      await reload();
    },
    reload,
    onChange: (handler) => handlers.add(handler),
    list,
    upcoming() {
      if (kept.length === 0) return null;
      return ahead().slice(0, MAX_UPCOMING).map(lightEvent);
    },
    counts() {
      const byImpact = Map.groupBy(ahead(), ({ impact }) => impact);
      return Object.fromEntries([...byImpact].map(([impact, events]) => [impact, events.length]));
    },
    forModels: (from, to) => readForModels(ctx, from, to),
    windows: () =>
      new Map(
        kept.map(({ event, marks }) => [
          event.id,
          marks.map(({ days, entered_at }) => ({ days, enteredAt: entered_at })),
        ]),
      ),
    dated() {
      const changed = new Map(kept.map(({ event }) => [event.id, event.updated_at]));
      return list().map((event) => ({ ...event, updatedAt: changed.get(event.id) ?? event.checkedAt }));
    },
  };
}

import { type Event, eventsTopic, type UpcomingCounts, type UpcomingEvent } from '../contract.ts';
import type { EventsContext } from './context.ts';
import { addDays } from './days.ts';
import type { Dated } from './service/feed.ts';
import { createFigures } from './service/figures.ts';
import { readKept } from './service/moderate.ts';
import { type Kept, lightEvent, publicEvents, toEvent } from './service/view.ts';

export type { EventsContext } from './context.ts';

const KEPT_PAST_DAYS = 8;
/** What is a matter of minutes need not be worked out twice in the same second. */
const DRAWN_MS = 1000;
/** Of the dashboard's card. */
const MOST_UPCOMING = 60;

export type Events = {
  ctx: EventsContext;
  start: () => Promise<void>;
  reload: () => Promise<void>;
  onChange: (handler: () => void) => void;
  /** What everyone may see, as it stands now. */
  list: () => Event[];
  /** The next ones, as the dashboard shows them; null before the first collection. */
  upcoming: () => UpcomingEvent[] | null;
  /** How many come, by impact. */
  counts: () => UpcomingCounts;
  /** What everyone may see, with the moment of its last change. */
  dated: () => Dated[];
  /** The windows that each event has come into; it may have left them since. */
  windows: () => Map<number, { days: number; enteredAt: string }[]>;
};

/** The calendar of this process, kept in step with the database by the live topic. */
export function createEvents(ctx: EventsContext): Events {
  const handlers = new Set<() => void>();
  let kept: Kept[] = [];
  let own = createFigures(ctx.inflation);

  async function reload(): Promise<void> {
    kept = await readKept(ctx, { from: addDays(ctx.now(), -KEPT_PAST_DAYS) });
    tell();
  }

  let drawn: { at: number; events: Event[] } | null = null;

  const tell = () => {
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
        tell();
      });
      await reload();
    },
    reload,
    onChange: (handler) => handlers.add(handler),
    list,
    upcoming() {
      if (kept.length === 0) return null;
      return ahead().slice(0, MOST_UPCOMING).map(lightEvent);
    },
    counts() {
      const byImpact = Map.groupBy(ahead(), ({ impact }) => impact);
      return Object.fromEntries([...byImpact].map(([impact, events]) => [impact, events.length]));
    },
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

import type { FastifyInstance } from 'fastify';
import {
  deleteEvent,
  type Event,
  getAllEvents,
  getEventCalendar,
  getEventFile,
  getEventStudy,
  getEvents,
  getPastEvents,
  getUpcomingEvents,
  ignoreEvent,
  unignoreEvent,
} from '#features/events/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ReadModel } from '#kernel/read-model.ts';
import { type Download, download, route } from '#kernel/route.ts';
import { serve } from '#kernel/serve.ts';
import { calendarText, type Dated } from './service/feed.ts';
import { ignore, listEvents, rejectEvent } from './service/moderate.ts';
import { readStudy } from './service/study.ts';
import { fits } from './service/view.ts';
import type { Events } from './service.ts';

async function* textOf(events: readonly Dated[]): AsyncIterable<string> {
  yield calendarText(events);
}

const file = (fileName: string, events: readonly Dated[]): Download => ({
  type: 'text/calendar; charset=utf-8',
  fileName,
  text: textOf(events),
});

export function eventsRoutes(app: FastifyInstance, events: Events, model: ReadModel<Event[]>): void {
  const { ctx } = events;
  serve(app, getEvents, model);
  download(app, getEventCalendar, ({ query }) =>
    file(
      'events.ics',
      events.dated().filter((event) => fits(event, query)),
    ),
  );
  download(app, getEventFile, ({ params }) => {
    const id = Number.parseInt(params.file, 10);
    const found = events.dated().find((event) => event.id === id);
    if (!found) throw new AppError('not_found', 'Event not found');
    return file(`event-${id}.ics`, [found]);
  });
  route(app, getEventStudy, ({ query }) => readStudy(ctx, query.kind));
  route(app, getAllEvents, () => listEvents(ctx, 'all'));
  route(app, getUpcomingEvents, () => listEvents(ctx, 'upcoming'));
  route(app, getPastEvents, () => listEvents(ctx, 'past'));
  route(app, ignoreEvent, ({ caller, params }) => ignore(ctx, caller, Number(params.id), true));
  route(app, unignoreEvent, ({ caller, params }) => ignore(ctx, caller, Number(params.id), false));
  route(app, deleteEvent, async ({ caller, params }) => {
    await rejectEvent(ctx, caller, Number(params.id));
    return { ok: true as const };
  });
}

import { eventsTopic, getEvents } from '#features/events/contract.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';

import { eventsJobs } from './jobs.ts';
import { eventsRoutes } from './routes.ts';
import { createEvents, type Events } from './service.ts';
import { EVENT_SOURCES } from './sources.ts';

type Service = { events: Events };

export const events = feature({
  name: 'events',
  create: (parts: FeatureContext & Parameters<typeof createEvents>[0]): Service => ({ events: createEvents(parts) }),
  topics: [eventsTopic],
  sources: () => EVENT_SOURCES,
  readModels: ({ json }) => ({ events: json('events', getEvents.reply, '/api/events') }),
  routes: (app, parts: Service & { models: { events: Parameters<typeof eventsRoutes>[2] } }) =>
    eventsRoutes(app, parts.events, parts.models.events),
  jobs: (parts: Service) => eventsJobs(parts.events),
});

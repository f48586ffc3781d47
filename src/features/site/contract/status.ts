import { z } from 'zod/mini';

import { endpoint, topic } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';

export const COMPONENTS = ['website', 'prices', 'collection', 'slow', 'alerts', 'database'] as const;
export const componentId = z.enum(COMPONENTS);
export type ComponentId = z.infer<typeof componentId>;

export const COMPONENT_NAMES: Record<ComponentId, string> = {
  website: 'Website and API',
  prices: 'Live prices',
  collection: 'Full collection',
  slow: 'Slow series',
  alerts: 'Alerts and notifications',
  database: 'Database',
};

/** State of one minute. */
export const minuteState = z.enum(['operational', 'degraded', 'down']);
export type MinuteState = z.infer<typeof minuteState>;
export const componentState = z.enum(['operational', 'degraded', 'down', 'no_data']);
export type ComponentState = z.infer<typeof componentState>;

export const IMPACTS = ['none', 'minor', 'major', 'maintenance'] as const;
export const impact = z.enum(IMPACTS);
export type Impact = z.infer<typeof impact>;
export const STAGES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export const stage = z.enum(STAGES);
export type Stage = z.infer<typeof stage>;

export const WINDOW_DAYS = 90;

/**
 * Whole minutes of one UTC day. `percent` is the share of those neither degraded nor down; null when none was measured.
 */
const day = z.object({
  day: z.iso.date(),
  percent: z.nullable(z.number()),
  measured: z.int(),
  degraded: z.int(),
  down: z.int(),
});
export type StatusDay = z.infer<typeof day>;

/** `from` is the first measured moment of the window; percent is null until ten minutes were measured. */
const uptime = z.object({
  percent: z.nullable(z.number()),
  from: z.nullable(z.iso.datetime()),
  measuredMinutes: z.int(),
  targetPercent: z.number(),
});

const component = z.object({
  id: componentId,
  name: z.string(),
  state: componentState,
  /** Why there is no data, or what is wrong. */
  note: z.nullable(z.string()),
  uptime,
  /** Further measurements, as sentences. */
  facts: z.array(z.string()),
  /** The last 90 UTC days, oldest first. */
  days: z.array(day),
});
export type StatusComponent = z.infer<typeof component>;

const update = z.object({ at: z.iso.datetime(), stage, message: z.string() });

/** `stage` is null while nothing was written about a measured incident. Maintenance ends as planned. */
const incident = z.object({
  id: z.int(),
  kind: z.enum(['measured', 'written']),
  title: z.string(),
  impact,
  components: z.array(componentId),
  stage: z.nullable(stage),
  startsAt: z.iso.datetime(),
  endsAt: z.nullable(z.iso.datetime()),
  updates: z.array(update),
});
export type Incident = z.infer<typeof incident>;

export const status = z.object({
  /** When this response was created. */
  asOf: z.iso.datetime(),
  /** Time up to which everything was measured; null before the first time. */
  measuredTo: z.nullable(z.iso.datetime()),
  /** Since when the database could not be read; everything else is as of then. */
  unreadSince: z.nullable(z.iso.datetime()),
  state: z.enum(['operational', 'degraded', 'down', 'maintenance', 'no_data']),
  headline: z.string(),
  windowDays: z.int(),
  components: z.array(component),
  /** Incidents of the window, newest first, and planned maintenance. */
  incidents: z.array(incident),
});
export type Status = z.infer<typeof status>;

export const getStatus = endpoint({ method: 'GET', path: '/api/status', access: 'public', reply: status });

/** Notifies every process of changed incidents. Internal only. */
export const statusTopic = topic({ name: 'status', access: 'admin', data: z.object({ at: z.number() }) });

export const LONGEST = { title: 120, message: 2000 } as const;

const text = (name: string, longest: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${name} is required`),
      z.maxLength(longest, `${name} can have at most ${grouped(longest)} characters`),
    );

const adminIncident = z.extend(incident, {
  /** Address of the author; null when it was automatic or the account is deleted. */
  author: z.nullable(z.string()),
  retractedAt: z.nullable(z.iso.datetime()),
  updates: z.array(z.extend(update, { author: z.nullable(z.string()) })),
});
export type AdminIncident = z.infer<typeof adminIncident>;

/** All incidents, newest first, including retracted ones. */
export const listIncidents = endpoint({
  method: 'GET',
  path: '/api/admin/incidents',
  access: 'admin',
  query: z.object({ before: z.optional(z.coerce.number().check(z.int(), z.minimum(1))) }),
  reply: z.object({ incidents: z.array(adminIncident), more: z.boolean() }),
});

const done = z.object({ success: z.literal(true) });
const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1)) });

/** `startsAt` and `endsAt` are for planned maintenance only; anything else starts now. */
export const createIncident = endpoint({
  method: 'POST',
  path: '/api/admin/incidents',
  access: 'admin',
  body: z.strictObject({
    title: text('Title', LONGEST.title),
    impact,
    components: z.array(componentId).check(z.maxLength(COMPONENTS.length)),
    stage: z._default(stage, 'investigating'),
    message: text('Message', LONGEST.message),
    startsAt: z.optional(z.iso.datetime()),
    endsAt: z.optional(z.iso.datetime()),
  }),
  reply: z.object({ id: z.int() }),
});

/** Earlier text is preserved. `resolved` ends a written incident; a measured one ends by measurement only. */
export const updateIncident = endpoint({
  method: 'POST',
  path: '/api/admin/incidents/:id/updates',
  access: 'admin',
  params,
  body: z.strictObject({ stage, message: text('Message', LONGEST.message) }),
  reply: done,
});

/** Removes a written incident from the page; it is retained and marked. */
export const retractIncident = endpoint({
  method: 'POST',
  path: '/api/admin/incidents/:id/retract',
  access: 'admin',
  params,
  reply: done,
});

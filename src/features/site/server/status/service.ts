import type { Latency } from '#features/notifications/contract/notifications.ts';
import {
  type AdminIncident,
  COMPONENT_NAMES,
  COMPONENTS,
  type ComponentId,
  type Incident,
  type Status,
  type StatusComponent,
  type StatusDay,
  WINDOW_DAYS,
} from '#features/site/contract/status.ts';
import type { Db } from '#kernel/db.ts';
import { TARGET_PERCENT } from '#kernel/heartbeat.ts';
import { grouped } from '#shared/format.ts';
import { MINUTE_MS } from './detect.ts';
import { incidentsSince } from './store/incidents.ts';
import { type DayRow, daysSince, type Known, readKnown, statesAt } from './store/measured.ts';
import { countFailed, countReporting, findBeat } from './store/signals.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const names = (components: readonly StatusComponent[]) => list.format(components.map(({ name }) => name));

/** A written incident ends when resolved, maintenance also when its time has passed. */
const isOngoing = ({ startsAt, endsAt }: Incident, now: number): boolean =>
  Date.parse(startsAt) <= now && (endsAt === null || Date.parse(endsAt) > now);

/** The current state in one sentence: measurements take precedence over written incidents. */
function overallHeadline(
  components: readonly StatusComponent[],
  incidents: readonly Incident[],
  now: number,
): Pick<Status, 'state' | 'headline'> {
  const down = components.filter(({ state }) => state === 'down');
  const degraded = components.filter(({ state }) => state === 'degraded');
  const ongoing = incidents.filter((incident) => incident.kind === 'written' && isOngoing(incident, now));
  const major = ongoing.find(({ impact }) => impact === 'major');
  const minor = ongoing.find(({ impact }) => impact === 'minor');
  const maintenance = ongoing.find(({ impact }) => impact === 'maintenance');
  if (down.length > 0) return { state: 'down', headline: `Down now: ${names(down)}` };
  if (major) return { state: 'down', headline: major.title };
  if (degraded.length > 0) return { state: 'degraded', headline: `Degraded now: ${names(degraded)}` };
  if (minor) return { state: 'degraded', headline: minor.title };
  if (maintenance) return { state: 'maintenance', headline: `Maintenance now: ${maintenance.title}` };
  const unknown = components.filter(({ state }) => state === 'no_data');
  if (unknown.length === 0) return { state: 'operational', headline: 'All systems operational' };
  return { state: 'no_data', headline: `All measured systems operational; no data for ${names(unknown)}` };
}

const CHANNELS: Record<Latency['channels'][number]['channel'], string> = {
  'in-app': 'In-app',
  email: 'Email',
  push: 'Push',
  telegram: 'Telegram',
  webhook: 'Webhook',
};

const took = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
/** Delivery latency of alerts over 30 days by channel, and failures. */
function serviceFacts(latency: Latency | null, failed: number): string[] {
  const measured = (latency?.channels ?? []).flatMap(({ channel, n, p50Ms, p95Ms }) =>
    n > 0 && p50Ms !== null && p95Ms !== null
      ? [`${CHANNELS[channel]}: p50 ${took(p50Ms)}, p95 ${took(p95Ms)} (n = ${grouped(n)}, 30 days)`]
      : [],
  );
  const lost = `${grouped(failed)} ${failed === 1 ? 'delivery' : 'deliveries'} failed permanently in the last 30 days.`;
  return measured.length > 0 || failed > 0 ? [...measured, lost] : ['No alerts delivered in the last 30 days.'];
}

/** Each process reports by writing a row: one that cannot reach the database does not count. */
const servingFact = (processes: number): string =>
  `${grouped(processes)} ${processes === 1 ? 'process' : 'processes'} reported as serving within the last two minutes.`;

const DAY_MS = 1440 * MINUTE_MS;
/** Measuring runs every minute: after this many without a run it has stopped. */
const STALE_MS = 5 * MINUTE_MS;
const LEAST_MINUTES = 10;

const iso = (ms: number) => new Date(ms).toISOString();
const clock = (ms: number) => `${iso(ms).slice(0, 16).replace('T', ' ')} UTC`;

/** Never rounded up, so that a lost minute shows. null without enough minutes. */
export function uptimePercent(measured: number, lapses: number, least = 1): number | null {
  if (measured < least) return null;
  return Math.floor(((measured - lapses) * 100_000) / measured) / 1000;
}

/** The last ninety UTC days with their measurements. */
function toStatusDays(rows: readonly DayRow[], firstDay: number): StatusDay[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: WINDOW_DAYS }, (_, n) => {
    const day = iso(firstDay + n * DAY_MS).slice(0, 10);
    const { measured = 0, degraded = 0, down = 0 } = byDay.get(day) ?? {};
    return { day, percent: uptimePercent(measured, degraded + down), measured, degraded, down };
  });
}

function computeUptime(days: readonly StatusDay[], measuredFrom: number, firstDay: number): StatusComponent['uptime'] {
  const sum = (of: (day: StatusDay) => number) => days.reduce((total, day) => total + of(day), 0);
  const measuredMinutes = sum(({ measured }) => measured);
  return {
    percent: uptimePercent(
      measuredMinutes,
      sum(({ degraded, down }) => degraded + down),
      LEAST_MINUTES,
    ),
    from: measuredMinutes > 0 ? iso(Math.max(measuredFrom, firstDay)) : null,
    measuredMinutes,
    targetPercent: TARGET_PERCENT,
  };
}

const WAITING: Record<ComponentId, string> = {
  website: 'The first minute is being measured.',
  database: 'The first minute is being measured.',
  prices: 'Not measured yet: waiting for the first prices.',
  collection: 'Not measured yet: waiting for the first full collection.',
  slow: 'Not measured yet: waiting for the first slow series.',
  alerts: 'Not measured yet: no delivery process has reported.',
};

const NOTES: Record<ComponentId, Record<'degraded' | 'down', string>> = {
  website: { degraded: '', down: 'No web process has reported.' },
  database: { degraded: '', down: 'No process could write to it.' },
  prices: { degraded: 'The price of at least one tracked coin is delayed.', down: 'No new prices are arriving.' },
  collection: { degraded: 'The scheduled collection is late.', down: 'Several scheduled collections are missing.' },
  slow: { degraded: 'Slow sources are responding late.', down: 'Slow sources are not responding.' },
  alerts: {
    degraded: 'A delivery has been waiting for more than ten minutes.',
    down: 'Nothing is being delivered.',
  },
};

type Present = { known: Known | undefined; lapse: 'degraded' | 'down' | undefined; now: number; serves: boolean };

/** The current state; website and database are known to be up when this is read. */
function currentState(
  id: ComponentId,
  { known, lapse, now, serves }: Present,
): Pick<StatusComponent, 'state' | 'note'> {
  const isNeverMeasured = !known || known.measuredFrom === known.measuredTo;
  const isStale = known && now - known.measuredTo > STALE_MS;
  if (isNeverMeasured || isStale) {
    if (id === 'database' || (id === 'website' && serves)) return { state: 'operational', note: null };
    const note = isNeverMeasured
      ? WAITING[id]
      : `Not measured since ${clock(known.measuredTo)}: no measuring process has reported.`;
    return { state: 'no_data', note };
  }
  if (!lapse || (id === 'website' && serves) || id === 'database') return { state: 'operational', note: null };
  return { state: lapse, note: NOTES[id][lapse] };
}

/** Removes the author. */
function toPublicIncident(incident: AdminIncident): Incident {
  const { id, kind, title, impact, components, stage, startsAt, endsAt } = incident;
  const updates = incident.updates.map(({ at, stage, message }) => ({ at, stage, message }));
  return { id, kind, title, impact, components, stage, startsAt, endsAt, updates };
}

/** The status page's data, from measurements. @throws when the database does not respond */
export async function readStatus(db: Db, at: Date, latency: Latency | null): Promise<Status> {
  const now = at.getTime();
  const firstDay = Math.floor(now / DAY_MS) * DAY_MS - (WINDOW_DAYS - 1) * DAY_MS;
  const known = await readKnown(db);
  const measuredTo = known.length > 0 ? Math.max(...known.map((each) => each.measuredTo)) : null;
  const [rows, lapses, beat, reporting, failed, incidents] = await Promise.all([
    daysSince(db, iso(firstDay).slice(0, 10)),
    statesAt(db, new Date((measuredTo ?? now) - MINUTE_MS)),
    findBeat(db, 'last', 'serves', now - 3 * MINUTE_MS),
    countReporting(db, now, 'serves'),
    countFailed(db),
    incidentsSince(db, new Date(firstDay)),
  ]);
  const facts: Partial<Record<ComponentId, string[]>> = {
    website: [servingFact(reporting)],
    alerts: serviceFacts(latency, failed),
  };
  const components = COMPONENTS.map((id): StatusComponent => {
    const stored = known.find(({ component }) => component === id);
    const days = toStatusDays(
      rows.filter(({ component }) => component === id),
      firstDay,
    );
    return {
      id,
      name: COMPONENT_NAMES[id],
      ...currentState(id, { known: stored, lapse: lapses.get(id), now, serves: beat !== null }),
      uptime: computeUptime(days, stored?.measuredFrom ?? now, firstDay),
      facts: facts[id] ?? [],
      days,
    };
  });
  const shown = incidents.map(toPublicIncident);
  return {
    asOf: at.toISOString(),
    measuredTo: measuredTo === null ? null : iso(measuredTo),
    unreadSince: null,
    ...overallHeadline(components, shown, now),
    windowDays: WINDOW_DAYS,
    components,
    incidents: shown,
  };
}

/** The last known status, while the database cannot be read. */
export function unread(last: Status, at: Date): Status {
  const unreadSince = last.unreadSince ?? at.toISOString();
  const note = `Unreachable since ${clock(Date.parse(unreadSince))}.`;
  const components = last.components.map((each): StatusComponent => {
    if (each.id === 'website') return { ...each, state: 'operational', note: null };
    if (each.id === 'database') return { ...each, state: 'down', note };
    return { ...each, state: 'no_data', note: 'Unavailable while the database is unreachable.' };
  });
  return {
    ...last,
    asOf: at.toISOString(),
    unreadSince,
    ...overallHeadline(components, last.incidents, at.getTime()),
    components,
  };
}

/** The current status, or the last known one when the database is unavailable. */
export function createStatusReader(db: Db, now: () => Date) {
  let last: Status | null = null;
  return async (latency: Latency | null): Promise<Status> => {
    try {
      last = await readStatus(db, now(), latency);
    } catch (error) {
      if (!last) throw error;
      last = unread(last, now());
    }
    return last;
  };
}

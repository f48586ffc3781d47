import { eventsTopic } from '#features/events/contract.ts';
import type { Db } from '#kernel/db.ts';
import { SourceError } from '#kernel/http/source-error.ts';

import type { EventsContext } from '../context.ts';
import { addDays, DAY_MS, toleranceDays } from '../rules.ts';
import { ADAPTERS, COMPUTED, SHIPPED } from '../sources.ts';
import {
  addEvent,
  type Chosen,
  eventsById,
  eventsByRef,
  eventsSince,
  lockEvents,
  type Statement,
  type StoredEvent,
  saveStatements,
  statementsFor,
  updateEvent,
} from '../store.ts';
import type { EventSource, Found, OwnSource, ReadContext } from '../types.ts';
import { choose } from './merge-statements.ts';

const PAST_DAYS = 30;
const FUTURE_DAYS = 1500;

const createReadContext = (ctx: EventsContext, signal: AbortSignal): ReadContext => ({
  now: ctx.now(),
  config: ctx.config,
  signal,
  async daysOf(kind) {
    const rows = await eventsSince(ctx.db, addDays(ctx.now(), -60));
    return rows.filter((row) => row.kind === kind && row.deleted_at === null).map(({ at }) => new Date(at));
  },
});

/** When each adapter last responded, for those with a minimum interval. */
const answered = new WeakMap<EventsContext, Map<object, number>>();

/** Reads every source independently: after a failure its earlier statements remain. */
export async function collectEvents(ctx: EventsContext, signal: AbortSignal): Promise<void> {
  const ask = createReadContext(ctx, signal);
  const times = answered.get(ctx) ?? new Map<object, number>();
  answered.set(ctx, times);
  for (const own of SHIPPED) await collectOwn(ctx, own, ask);
  // Read concurrently, so that a hanging source does not delay the others; results are written one after the other.
  const answers = ADAPTERS.filter((adapter) => isDue(ctx, times, adapter)).map((adapter) => ({
    adapter,
    answer: readFrom(ctx, adapter, ask),
  }));
  for (const { adapter, answer } of answers) {
    const found = await answer;
    if (!found) continue;
    await take(ctx, adapter.as ?? adapter.source, adapter.rank, found);
    times.set(adapter, ask.now.getTime());
  }
  for (const own of COMPUTED) await collectOwn(ctx, own, ask);
  await ctx.sources.save();
  await ctx.live.publish(eventsTopic, { at: ctx.now().getTime() });
}

function isDue(ctx: EventsContext, times: Map<object, number>, adapter: EventSource): boolean {
  const last = times.get(adapter);
  const isEarly = last !== undefined && ctx.now().getTime() - last < (adapter.everyMs ?? 0);
  return ctx.sources.isOn(adapter.source) && !isEarly;
}

/** Null when the source returned nothing usable. */
async function readFrom(ctx: EventsContext, { source, read }: EventSource, ask: ReadContext): Promise<Found[] | null> {
  try {
    return await read(ctx.sources.client(source), ask);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // A text response that is not a calendar was first counted as a success.
    if (error.kind === 'body') ctx.sources.failed(source, error);
    ctx.log.debug({ source, error: error.message }, 'source returned no events');
    return null;
  }
}

async function collectOwn(
  ctx: EventsContext,
  { source, as, rank, read, asks }: OwnSource,
  ask: ReadContext,
): Promise<void> {
  const client = asks && ctx.sources.isOn(asks) ? ctx.sources.client(asks) : null;
  await take(ctx, as ?? source, rank, await read(client, ask));
}

const isNearby = (a: number, b: number, days: number) => Math.abs(a - b) <= days * DAY_MS;

/** Stores a source's statements beside those of others about the same events. */
async function take(ctx: EventsContext, source: string, rank: number, all: readonly Found[]): Promise<void> {
  const now = ctx.now();
  const inTime = all.filter(({ at }) => at >= addDays(now, -PAST_DAYS) && at <= addDays(now, FUTURE_DAYS));
  const found = [...new Map(inTime.map((each) => [each.ref, each])).values()];
  if (found.length === 0) return;
  await ctx.db.transaction().execute(async (tx) => {
    await lockEvents(tx);
    const places = await assign(tx, source, found, now);
    const touched: number[] = [];
    const statements: Statement[] = [];
    for (const [each, known] of places) {
      const row = toStatement(each, source, rank, now);
      const id = known ?? (await addEvent(tx, each.match, choose([{ ...row, event_id: 0 }]), now));
      touched.push(id);
      statements.push({ ...row, event_id: id });
    }
    await saveStatements(tx, statements);
    await recomputeChoice(tx, touched, now);
  });
}

/**
 * Matches each item to an event: the one this source listed under that reference, else the nearest of its kind or
 * title, else a new one.
 */
async function assign(tx: Db, source: string, found: readonly Found[], now: Date): Promise<[Found, number | null][]> {
  const byRef = await eventsByRef(
    tx,
    source,
    found.map(({ ref }) => ref),
  );
  const known = await eventsSince(tx, addDays(now, -PAST_DAYS - 60));
  const byMatch = Map.groupBy(known, ({ match }) => match);
  const taken = new Set(byRef.values());
  const places = new Map<Found, number | null>();
  const rest = found.filter((each) => {
    const id = byRef.get(each.ref);
    if (id !== undefined) places.set(each, id);
    return id === undefined;
  });
  // The nearest pairs are matched first, so that a series shifted by one keeps its order.
  const pairs = rest.flatMap((each) =>
    (byMatch.get(each.match) ?? [])
      .filter(({ at }) => isNearby(Date.parse(at), each.at.getTime(), toleranceDays(each.kind, each.match)))
      .map((row) => ({ each, id: row.id, apart: Math.abs(Date.parse(row.at) - each.at.getTime()) })),
  );
  for (const { each, id } of pairs.toSorted((a, b) => a.apart - b.apart)) {
    if (taken.has(id) || places.has(each)) continue;
    taken.add(id);
    places.set(each, id);
  }
  return found.map((each) => [each, places.get(each) ?? null]);
}

function toStatement(found: Found, source: string, rank: number, now: Date): Omit<Statement, 'event_id'> {
  const { ref, kind, publisher, title, description, category, impact, why, at, allDay, estimated, interval } = found;
  return {
    source,
    ref,
    rank,
    kind,
    publisher,
    title,
    description,
    category,
    impact,
    why,
    at: at.toISOString(),
    all_day: allDay,
    estimated,
    interval_from: interval?.from ?? null,
    interval_to: interval?.to ?? null,
    url: found.url,
    figures: found.figures,
    checked_at: (found.checkedAt ?? now).toISOString(),
  };
}

async function recomputeChoice(tx: Db, ids: readonly number[], now: Date): Promise<void> {
  const [statements, events] = await Promise.all([statementsFor(tx, ids), eventsById(tx, ids)]);
  for (const [id, said] of Map.groupBy(statements, ({ event_id }) => event_id)) {
    const before = events.get(id);
    const chosen = choose(said);
    const touched = !before || differs(before, chosen);
    if (touched || before.checked_at !== chosen.checked_at) await updateEvent(tx, id, chosen, touched ? now : null);
  }
}

const serialize = (value: unknown) => JSON.stringify(value ?? null);

function differs(before: StoredEvent, chosen: Chosen): boolean {
  const names = Object.keys(chosen).filter((name) => name !== 'checked_at') as (keyof Chosen)[];
  return names.some((name) =>
    name === 'at'
      ? Date.parse(before.at) !== Date.parse(chosen.at)
      : name === 'figures'
        ? !sameFigures(before.figures, chosen.figures)
        : serialize(before[name]) !== serialize(chosen[name]),
  );
}

const sameFigures = (a: Chosen['figures'], b: Chosen['figures']) =>
  a?.actual === b?.actual && a?.forecast === b?.forecast && a?.previous === b?.previous;

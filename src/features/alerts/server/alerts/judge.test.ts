import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Event } from '#features/events/contract.ts';
import { marketTopic } from '#features/market/contract/market.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { evaluateAlerts, storeObservation } from '#tests/support/observed.ts';
import { registerUser, signInAgain } from '#tests/support/people.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';

const HOUR_MS = 3_600_000;
const OWN = { source: 'meridian' };

const s = fileProduct({ env: { COIN_LIMIT: '20' } });
beforeEach(async () => {
  s.advance(4 * HOUR_MS);
  const tables = ['notification_events', 'alerts', 'alert_gates', 'live_frames', 'metric_observations', 'events'];
  for (const table of tables) await sql`truncate ${sql.table(table)} cascade`.execute(db());
});

const db = () => s.product.alerts.ctx.db;
const funding = (value: number) => storeObservation(s, 'funding.market', value, OWN);
const counts = async () => {
  const { rows } = await sql<Record<string, number>>`select (select count(*) from alerts) as alerts,
    (select count(*) from notification_events) as events,
    (select count(*) from live_frames where topic = 'alerts') as frames`.execute(db());
  return rows[0];
};
const gate = async () =>
  db().selectFrom('alert_gates').selectAll().where('gate', '=', 'FUNDING_EXTREME_BULLISH').executeTakeFirst();

/** Quiet first, then far beyond the first level. */
async function rising(): Promise<void> {
  await funding(0.01);
  expect(await evaluateAlerts(s)).toEqual([]);
  s.advance(60_000);
  await funding(0.06);
}

test('a first start records current conditions without firing', async () => {
  await funding(0.2);
  expect(await evaluateAlerts(s)).toEqual([]);
  expect(await gate()).toMatchObject({ step: 2, told_at: null });
  s.advance(60_000);
  await funding(0.21);
  expect(await evaluateAlerts(s)).toEqual([]);
});

test('neither a restart nor two concurrent processes fire twice', async () => {
  await rising();
  const other = await s.another();
  await Promise.all([s.product.refresh(), other.refresh()]);
  const all = await Promise.all([s.product, other, s.product, other].map(({ alerts }) => alerts.judge()));
  expect(all.flat()).toHaveLength(1);
  const restarted = await s.another();
  await restarted.refresh();
  expect(await restarted.alerts.judge()).toEqual([]);
  expect(await counts()).toEqual({ alerts: 1, events: 1, frames: 1 });
});

test.each(['alert_gates', 'alerts', 'notification_events', 'live_frames'])(
  'interrupted while writing %s: nothing is lost, duplicated or half-written',
  async (table) => {
    await rising();
    const before = await gate();
    await sql`create or replace function break_off() returns trigger language plpgsql as $$
      begin raise exception 'the process ends here'; end $$`.execute(db());
    await sql`create trigger break_off after insert or update on ${sql.table(table)}
      for each row execute function break_off()`.execute(db());
    await expect(evaluateAlerts(s)).rejects.toThrow('ends here');
    expect(await gate()).toEqual(before);
    expect(await counts()).toEqual({ alerts: 0, events: 0, frames: 0 });
    await sql`drop trigger break_off on ${sql.table(table)}`.execute(db());
    expect(await evaluateAlerts(s)).toHaveLength(1);
    expect(await evaluateAlerts(s)).toEqual([]);
    expect(await counts()).toEqual({ alerts: 1, events: 1, frames: 1 });
  },
);

test('an absent or stale input fires nothing and leaves its gate unchanged', async () => {
  await rising();
  s.advance(3 * HOUR_MS);
  expect(await evaluateAlerts(s)).toEqual([]);
  expect(await gate()).toMatchObject({ step: 0 });
  await funding(0.06);
  expect(await evaluateAlerts(s)).toHaveLength(1);
  const held = await gate();
  s.advance(3 * HOUR_MS);
  expect(await evaluateAlerts(s)).toEqual([]);
  await sql`delete from metric_observations`.execute(db());
  expect(await evaluateAlerts(s)).toEqual([]);
  expect(await gate()).toEqual(held);
});

test('the receipt shows when it occurred, was received, was judged and was written', async () => {
  await rising();
  const at = s.clock.now().toISOString();
  const [alert] = await evaluateAlerts(s);
  expect(alert?.receipt).toEqual({ sourceAt: at, receivedAt: at, evaluatedAt: at, queuedAt: at });
  expect(alert?.meta).toMatchObject({ source: 'Meridian', observedAt: at, method: 'measured' });
});

test('the watching process judges on updates, and no longer once stopped', async () => {
  await funding(0.01);
  await evaluateAlerts(s);
  const { restore } = skipTimers(5000, 10_000);
  const watch = s.product.alerts.watch();
  s.advance(60_000);
  await funding(0.06);
  await s.product.alerts.ctx.live.publish(marketTopic, { at: s.clock.now().getTime(), changed: ['metrics'] });
  await expect.poll(counts, { timeout: 25_000 }).toMatchObject({ alerts: 1 });
  restore();
  await watch.stop();
  s.advance(60_000);
  await funding(0.12);
  await s.product.refresh();
  expect(await counts()).toMatchObject({ alerts: 1 });
});

describe('calendar events', () => {
  const ofEvents = async () => (await evaluateAlerts(s)).filter(({ type }) => type === 'UPCOMING_EVENT');
  const at = async (iso: string) => {
    s.clock.set(new Date(iso));
    await s.job('events.windows');
  };
  const fomc = async () =>
    (await s.get('/api/events')).json<Event[]>().find(({ kind, status }) => kind === 'fomc' && status === 'upcoming');

  test('an ignored or deleted one does not fire; a postponed one fires again in its new window', async () => {
    let admin = await registerUser(s, 'admin', 'admin');
    await s.job('events.collect');
    const id = (await fomc())?.id ?? 0;
    const cpi = (await s.get('/api/events')).json<Event[]>().find(({ kind }) => kind === 'cpi')?.id ?? 0;
    await ofEvents();
    await admin.post(`/api/admin/events/${id}/ignore`, {});
    await at('2026-12-06T09:00:00Z');
    admin = await signInAgain(s, admin);
    expect((await ofEvents()).filter(({ eventId }) => eventId === id)).toEqual([]);
    await admin.post(`/api/admin/events/${id}/unignore`, {});
    await at('2026-12-06T10:00:00Z');
    expect((await ofEvents()).filter(({ eventId }) => eventId === id)).toHaveLength(1);
    await db().updateTable('events').set({ at: '2026-12-15T19:00:00Z' }).where('id', '=', id).execute();
    await at('2026-12-06T11:00:00Z');
    expect((await ofEvents()).filter(({ eventId }) => eventId === id)).toEqual([]);
    await admin.remove(`/api/admin/events/${cpi}`);
    await at('2026-12-12T09:00:00Z');
    const again = await ofEvents();
    expect(again.filter(({ eventId }) => eventId === id)).toMatchObject([
      { message: expect.stringContaining('is in 3 days, on 15 December 2026'), eventDate: '2026-12-15T19:00:00.000Z' },
    ]);
    expect(again.filter(({ eventId }) => eventId === cpi)).toEqual([]);
  });
});

test('alerts are deleted after 400 days, their deliveries after 30', async () => {
  await rising();
  await evaluateAlerts(s);
  const days = async (count: number) => {
    s.clock.set(new Date(s.clock.now().getTime() + count * 24 * HOUR_MS));
    await s.job('alerts.retention');
    await s.job('notifications.retention');
    const { alerts, events } = (await counts()) ?? {};
    return [alerts, events];
  };
  expect(await days(29)).toEqual([1, 1]);
  expect(await days(2)).toEqual([1, 0]);
  expect(await days(368)).toEqual([1, 0]);
  expect(await days(2)).toEqual([0, 0]);
});

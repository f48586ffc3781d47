import { beforeAll, describe, expect, test } from 'vitest';

import { type Event, eventsTopic } from '#features/events/contract.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, signInAgain, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct();
let admin: TestUser;
beforeAll(async () => {
  admin = await registerUser(s, 'admin', 'admin');
  await s.job('events.collect');
});

const list = async () => {
  await s.product.refresh();
  return (await s.get('/api/events')).json<Event[]>();
};
const lists = async (path: string) => (await admin.get(`/api/admin/events${path}`)).json<Event[]>();
const has = (events: readonly Event[], id: number) => events.some((event) => event.id === id);
const idOf = async (kind: string) => (await list()).find((event) => event.kind === kind)?.id ?? 0;
const acts = () =>
  s.product.market.ctx.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'details'])
    .where('action', 'like', 'event.%')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

test('200: an ignored event is hidden from everyone but admins until restored', async () => {
  const id = await idOf('cpi');
  const told: number[] = [];
  const end = s.product.market.ctx.live.on(eventsTopic, ({ at }) => void told.push(at));
  expect((await admin.post(`/api/admin/events/${id}/ignore`, {})).json()).toMatchObject({ id, ignored: true });
  await expect.poll(() => told.length, { timeout: 10_000 }).toBe(1);
  end();
  expect(await acts()).toMatchObject({ action: 'event.ignore', actor_id: admin.id, details: { event: id } });
  expect(has(await list(), id)).toBe(false);
  expect((await s.get(`/api/events/${id}.ics`)).statusCode).toBe(404);
  expect((await s.get('/api/events.ics')).body).not.toContain(`UID:event-${id}@`);
  const { upcomingEvents } = (await s.get('/api/dashboard')).json<{ upcomingEvents: Event[] }>();
  expect(has(upcomingEvents, id)).toBe(false);
  expect((await lists('/all')).find((event) => event.id === id)?.ignored).toBe(true);
  await s.job('events.collect');
  expect(has(await list(), id)).toBe(false);
  expect((await admin.post(`/api/admin/events/${id}/unignore`, {})).json()).toMatchObject({ id, ignored: false });
  expect(await acts()).toMatchObject({ action: 'event.unignore', actor_id: admin.id });
  expect(has(await list(), id)).toBe(true);
});

test('200: a deleted event does not return with the next collection, from any source, nor when it moves', async () => {
  const id = await idOf('payrolls');
  const before = await list();
  expect((await admin.remove(`/api/admin/events/${id}`)).json()).toEqual({ ok: true });
  expect(await acts()).toMatchObject({ action: 'event.delete', actor_id: admin.id, details: { event: id } });
  const isBack = async () => {
    const events = [...(await list()), ...(await lists('/all'))];
    return events.some(({ kind, date }) => kind === 'payrolls' && date.startsWith('2026-12'));
  };
  expect(await isBack()).toBe(false);
  await s.job('events.collect');
  expect(await isBack()).toBe(false);
  expect((await list()).length).toBe(before.length - 1);
  s.advance(12.2 * 86_400_000);
  admin = await signInAgain(s, admin);
  await s.job('events.collect');
  expect(await isBack()).toBe(false);
  expect((await list()).some(({ kind }) => kind === 'payrolls')).toBe(true);
  expect(statusAndMessage(await admin.remove(`/api/admin/events/${id}`))).toEqual([404, 'Event not found']);
  expect(statusAndMessage(await admin.post(`/api/admin/events/${id}/ignore`, {}))).toEqual([404, 'Event not found']);
});

test('200: all, upcoming and past events', async () => {
  const [all, upcoming, past] = [await lists('/all'), await lists(''), await lists('/past')];
  expect(new Set(upcoming.map(({ status }) => status))).toEqual(new Set(['upcoming']));
  expect(new Set(past.map(({ status }) => status))).toEqual(new Set(['past']));
  expect(all.map(({ id }) => id)).toEqual([...upcoming, ...past].map(({ id }) => id));
});

describe('windows before an event', () => {
  const next = async (kind: string) =>
    (await s.get('/api/events')).json<Event[]>().find((event) => event.kind === kind && event.status === 'upcoming');
  const marksOf = async (id: number | undefined) => {
    const rows = await s.product.market.ctx.db
      .selectFrom('event_windows')
      .selectAll()
      .where('event_id', '=', id ?? 0)
      .orderBy('days')
      .execute();
    return Object.fromEntries(rows.map(({ days, entered_at }) => [days, entered_at]));
  };
  const at = async (iso: string) => {
    s.clock.set(new Date(iso));
    await s.job('events.windows');
  };

  test('an event enters each window once, at the first check on a day that is close enough', async () => {
    const fomc = await next('fomc');
    const entered: Record<number, string> = {};
    const days = {
      '2026-12-01': 8,
      '2026-12-02': 7,
      '2026-12-04': 5,
      '2026-12-06': 3,
      '2026-12-07': 2,
      '2026-12-08': 1,
    };
    for (const [day, left] of Object.entries(days)) {
      await at(`${day}T00:04:00Z`);
      if (left <= 7) entered[left] = new Date(`${day}T00:04:00Z`).toISOString();
      expect(await marksOf(fomc?.id)).toEqual(entered);
      await at(`${day}T17:00:00Z`);
      expect(await marksOf(fomc?.id)).toEqual(entered);
      expect(await next('fomc')).toMatchObject({ daysUntil: left, notified: left <= 3 });
    }
  });

  test('one found late enters all its current windows together; a past or ignored one enters none', async () => {
    const { db } = s.product.market.ctx;
    const cpi = await next('cpi');
    await db.deleteFrom('event_windows').execute();
    await (await signInAgain(s, admin)).post(`/api/admin/events/${cpi?.id}/ignore`, {});
    await at('2026-12-08T10:00:00Z');
    expect(await marksOf(cpi?.id)).toEqual({});
    await (await signInAgain(s, admin)).post(`/api/admin/events/${cpi?.id}/unignore`, {});
    await at('2026-12-08T11:00:00Z');
    expect(Object.keys(await marksOf(cpi?.id))).toEqual(['2', '3', '5', '7']);
    const marked = await db.selectFrom('event_windows').select('event_id').execute();
    const past = await db.selectFrom('events').select('id').where('at', '<', '2026-12-08T00:00:00Z').execute();
    const pastIds = new Set(past.map(({ id }) => id));
    expect(marked.filter(({ event_id }) => pastIds.has(event_id))).toEqual([]);
  });

  test('a postponed event leaves its windows and can enter them again', async () => {
    const { db } = s.product.market.ctx;
    const ppi = await next('ppi');
    const id = ppi?.id ?? 0;
    await at('2026-12-13T09:00:00Z');
    expect(Object.keys(await marksOf(id))).toEqual(['2', '3', '5', '7']);
    await db.updateTable('events').set({ at: '2026-12-18T13:30:00Z' }).where('id', '=', id).execute();
    await at('2026-12-13T10:00:00Z');
    expect(await marksOf(id)).toEqual({ 5: '2026-12-13T09:00:00.000Z', 7: '2026-12-08T10:00:00.000Z' });
    await at('2026-12-15T08:00:00Z');
    expect(await marksOf(id)).toMatchObject({ 3: '2026-12-15T08:00:00.000Z' });
  });
});

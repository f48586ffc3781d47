import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Event } from '#features/events/contract.ts';
import { type Person, person, signedInAgain } from '#tests/support/people.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let admin: Person;
beforeAll(async () => {
  s = await start();
  admin = await person(s, 'admin', 'admin');
  await s.job('events.collect');
});
afterAll(() => s.stop());

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

test('an event enters each window once, at the first look of the day on which it is so near', async () => {
  const fomc = await next('fomc');
  const entered: Record<number, string> = {};
  const days = { '2026-12-01': 8, '2026-12-02': 7, '2026-12-04': 5, '2026-12-06': 3, '2026-12-07': 2, '2026-12-08': 1 };
  for (const [day, left] of Object.entries(days)) {
    await at(`${day}T00:04:00Z`);
    if (left <= 7) entered[left] = new Date(`${day}T00:04:00Z`).toISOString();
    expect(await marksOf(fomc?.id)).toEqual(entered);
    await at(`${day}T17:00:00Z`);
    expect(await marksOf(fomc?.id)).toEqual(entered);
    expect(await next('fomc')).toMatchObject({ daysUntil: left, notified: left <= 3 });
  }
});

test('one that is found late enters every window it is in at once; a past or ignored one enters none', async () => {
  const { db } = s.product.market.ctx;
  const cpi = await next('cpi');
  await db.deleteFrom('event_windows').execute();
  await (await signedInAgain(s, admin)).post(`/api/admin/events/${cpi?.id}/ignore`, {});
  await at('2026-12-08T10:00:00Z');
  expect(await marksOf(cpi?.id)).toEqual({});
  await (await signedInAgain(s, admin)).post(`/api/admin/events/${cpi?.id}/unignore`, {});
  await at('2026-12-08T11:00:00Z');
  expect(Object.keys(await marksOf(cpi?.id))).toEqual(['2', '3', '5', '7']);
  const marked = await db.selectFrom('event_windows').select('event_id').execute();
  const past = await db.selectFrom('events').select('id').where('at', '<', '2026-12-08T00:00:00Z').execute();
  const pastIds = new Set(past.map(({ id }) => id));
  expect(marked.filter(({ event_id }) => pastIds.has(event_id))).toEqual([]);
});

test('one that is put off leaves its windows and can enter them again', async () => {
  const { db } = s.product.market.ctx;
  const ppi = await next('ppi');
  const id = ppi?.id ?? 0;
  await at('2026-12-13T09:00:00Z');
  expect(Object.keys(await marksOf(id))).toEqual(['2', '3', '5', '7']);
  await db.updateTable('events').set({ at: '2026-12-18T13:30:00Z' }).where('id', '=', id).execute();
  await at('2026-12-13T10:00:00Z');
  expect(await marksOf(id)).toEqual({
    5: '2026-12-13T09:00:00.000Z',
    7: '2026-12-08T10:00:00.000Z',
  });
  await at('2026-12-15T08:00:00Z');
  expect(await marksOf(id)).toMatchObject({ 3: '2026-12-15T08:00:00.000Z' });
});

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { draftOf, raise } from '#tests/support/alerts.ts';
import { newcomers, type Person, person, signedInAgain } from '#tests/support/people.ts';
import { prefer } from '#tests/support/preferences.ts';
import { recording } from '#tests/support/recording-channel.ts';
import { exportsOf, runAt, scheduleFor } from '#tests/support/schedules.ts';
import { type Started, start } from '#tests/support/start.ts';

const email = recording();
let s: Started;
let admin: Person;
const someone = newcomers('reader', () => s);
beforeAll(async () => {
  s = await start({ channels: [email] });
  admin = await person(s, 'admin', 'admin');
});
afterAll(() => s.stop());

const db = () => s.product.market.ctx.db;
const disable = ({ id }: Person) => admin.post(`/api/admin/users/${id}/disable`, { reason: 'Abuse' });
const enable = ({ id }: Person) => admin.post(`/api/admin/users/${id}/enable`);
const premium = async () => {
  const who = await someone();
  await admin.put(`/api/admin/users/${who.id}/plan`, { plan: 'premium', until: null, note: '' });
  return who;
};
let count = 0;
const tell = (...who: Person[]) => {
  count += 1;
  return raise(
    s,
    who.map(({ id }) => draftOf(`disabled-${count}-${id}`, { own: { userId: id, ruleId: 1 }, severity: 'high' })),
  );
};
const statesOf = async (who: Person) => {
  const { rows } = await sql<{ state: string; note: string | null }>`select state, note from notification_deliveries
    where user_id = ${who.id}::bigint order by id`.execute(db());
  return rows.map(({ state, note }) => [state, note]);
};
const DROPPED = ['dropped', 'The account was disabled'];

test('what waits is dropped, what comes later is not made, and another reader gets theirs', async () => {
  const [ann, ben] = [await premium(), await premium()];
  await prefer(ann, { emailNotifications: true });
  await tell(ann, ben);
  // Fanned out and not yet sent.
  await sql`update notification_deliveries set due_at = due_at + interval '1 hour'`.execute(db());
  await s.product.notifications.deliver();
  await sql`update notification_deliveries set state = 'due', sent_at = null, due_at = ${s.clock.now().toISOString()}
    where user_id = ${ann.id}::bigint`.execute(db());
  await disable(ann);
  expect(await statesOf(ann)).toEqual([DROPPED]);
  await tell(ann, ben);
  await s.product.notifications.deliver();
  expect(await statesOf(ann)).toEqual([DROPPED]);
  expect((await statesOf(ben)).map(([state]) => state)).toEqual(['sent', 'sent']);
});

test('a delivery that was made at the same moment is refused when its turn comes', async () => {
  const cat = await premium();
  await tell(cat);
  await s.product.notifications.deliver();
  await disable(cat);
  await sql`update notification_deliveries set state = 'due', sent_at = null, tries = 0, due_at = ${s.clock.now().toISOString()}
    where user_id = ${cat.id}::bigint`.execute(db());
  await s.product.notifications.deliver();
  expect(await statesOf(cat)).toEqual([DROPPED]);
});

test('a mail that waits for the address is not sent, the one that tells of it is', async () => {
  const dan = await premium();
  await sql`update mail_outbox set state = 'waiting', next_at = ${s.clock.now().toISOString()}
    where address = ${dan.email}`.execute(db());
  await disable(dan);
  const { rows } = await sql<{
    kind: string;
    state: string;
    note: string | null;
  }>`select kind, state, note from mail_outbox
    where address = ${dan.email} order by id`.execute(db());
  expect(rows).toEqual([
    { kind: 'plan-changed', state: 'failed', note: 'The account was disabled' },
    { kind: 'account-disabled', state: 'kept', note: null },
  ]);
});

test('schedules pause while the account is disabled, and go on with the newest moment after it', async () => {
  const eve = await premium();
  await scheduleFor(eve);
  await disable(eve);
  await runAt(s, '2026-11-23T08:00:00Z');
  expect(await exportsOf(s, eve)).toEqual([]);
  admin = await signedInAgain(s, admin);
  expect((await enable(eve)).statusCode).toBe(200);
  await runAt(s, '2026-11-23T08:01:00Z');
  expect((await exportsOf(s, eve)).map((each) => each.scheduled_for)).toEqual(['2026-11-23T08:00:00.000Z']);
});

import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import {
  completePending,
  createSchedule,
  failPending,
  listSchedules,
  readScheduledExports,
  runAt,
} from '#tests/support/schedules.ts';
import { NOON } from '#tests/support/start.ts';

const SITE = 'https://meridian.test';
const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off', PUBLIC_URL: SITE } });
let other: Product;
beforeAll(async () => {
  other = await s.another();
});

let count = 0;
/** A new user, on Friday noon unless stated otherwise. */
async function someone(at = NOON): Promise<TestUser> {
  s.clock.set(at);
  await sql`delete from export_runs`.execute(s.product.market.ctx.db);
  await sql`delete from exports`.execute(s.product.market.ctx.db);
  await sql`delete from export_schedules`.execute(s.product.market.ctx.db);
  count += 1;
  return registerUser(s, `p${count}`, 'premium');
}

const moments = async (who: TestUser) => (await readScheduledExports(s, who)).map((each) => each.scheduled_for);
const mailed = async (who: TestUser) =>
  (await emailsTo(s, who.email)).filter(({ kind }) => kind.startsWith('scheduled-'));

describe('the run times of a schedule', () => {
  test('create one export each, not early, and the next time is in the list', async () => {
    const ann = await someone();
    await createSchedule(ann);
    await runAt(s, '2026-11-21T07:59:59Z');
    expect(await moments(ann)).toEqual([]);
    await runAt(s, '2026-11-21T08:00:00Z');
    await runAt(s, '2026-11-21T08:00:30Z');
    await runAt(s, '2026-11-21T08:01:00Z');
    expect(await moments(ann)).toEqual(['2026-11-21T08:00:00.000Z']);
    const [made] = await readScheduledExports(s, ann);
    const run = { at: '2026-11-21T08:00:00.000Z', state: 'waiting', exportId: made?.id, error: null };
    expect(await listSchedules(ann)).toMatchObject([{ nextRunAt: '2026-11-22T08:00:00.000Z', lastRun: run }]);
  });

  test('missed while the product was offline are skipped, except the latest', async () => {
    const ann = await someone();
    await createSchedule(ann);
    await createSchedule(ann, { schedule: 'weekly' });
    await runAt(s, '2026-12-10T06:00:00Z');
    expect(await moments(ann)).toEqual(['2026-12-04T08:00:00.000Z', '2026-12-09T08:00:00.000Z']);
    expect((await listSchedules(ann)).map(({ nextRunAt }) => nextRunAt)).toEqual([
      '2026-12-11T08:00:00.000Z',
      '2026-12-10T08:00:00.000Z',
    ]);
  });

  test('handled by two concurrent workers create one export each', async () => {
    const ann = await someone();
    for (let i = 0; i < 6; i += 1) await createSchedule(ann);
    for (const day of [21, 22, 23]) {
      s.clock.set(new Date(`2026-11-${day}T08:00:00Z`));
      const workers = [s.product, other, s.product, other];
      await Promise.all(workers.map(({ scheduler }) => scheduler.runManually('exports.scheduled')));
    }
    const made = await readScheduledExports(s, ann);
    expect(made).toHaveLength(18);
    expect(new Set(made.map((each) => `${each.schedule_id} ${each.scheduled_for}`)).size).toBe(18);
    await completePending(s);
    await Promise.all([s.product, other].map(({ scheduler }) => scheduler.runManually('exports.scheduled')));
    expect(await mailed(ann)).toHaveLength(18);
  });
});

describe('the email about a file', () => {
  test('states contents, size and expiry, with links to the file, its schedule and unsubscribe', async () => {
    const ann = await someone();
    const { id } = await createSchedule(ann, { dataTypes: ['crypto_prices', 'fear_greed'] });
    await runAt(s, '2026-11-21T08:00:00Z');
    expect(await mailed(ann)).toEqual([]);
    await completePending(s);
    await runAt(s, '2026-11-21T08:01:00Z');
    await runAt(s, '2026-11-21T08:02:00Z');
    const [mail, ...more] = await mailed(ann);
    expect(more).toEqual([]);
    const [made] = await readScheduledExports(s, ann);
    expect(mail?.subject).toBe('Your export is ready: Daily · Crypto prices, Fear & Greed · CSV');
    for (const part of [
      'crypto_prices_7d.csv',
      'Crypto prices, Fear & Greed, 1,680 rows',
      'CSV, 1.2 MB',
      '28 Nov 2026, 08:00:00 UTC',
    ])
      expect(mail?.text).toContain(part);
    expect(mail?.html).not.toMatch(/undefined|\[object/);
    const links = mail?.links.map(({ href }) => href) ?? [];
    expect(links).toContain(`${SITE}/app/advanced-export?export=${made?.id}`);
    expect(links).toContain(`${SITE}/app/advanced-export?schedule=${id}`);
    expect(links.some((href) => href.startsWith(`${SITE}/api/unsubscribe?t=`))).toBe(true);
    const run = { state: 'done', exportId: made?.id, error: null };
    expect(await listSchedules(ann)).toMatchObject([{ lastRun: run }]);
  });

  test('links to the actual file, with the stated size', async () => {
    const ann = await someone();
    await raise(
      s,
      [1, 2, 3].map((n) => createDraft(`export-${n}`, { sourceAt: s.clock.now() })),
    );
    await createSchedule(ann, { dataTypes: ['alerts'], hour: 13, format: 'json' });
    await runAt(s, '2026-11-20T13:00:00Z');
    expect(await s.product.scheduler.waiting('exports.make')).not.toEqual([]);
    await s.product.scheduler.runManually('exports.make');
    await runAt(s, '2026-11-20T13:01:00Z');
    const [made] = await readScheduledExports(s, ann);
    const file = await ann.get(`/api/exports/${made?.id}/file`);
    expect(file.statusCode).toBe(200);
    const { file_size: bytes, rows, schedule_id: scheduleId } = (await ann.get(`/api/exports/${made?.id}`)).json();
    expect([bytes, scheduleId]).toEqual([file.rawPayload.length, made?.schedule_id]);
    expect(rows).toBe(3);
    const [mail] = await mailed(ann);
    expect(mail?.text).toContain('Alerts, 3 rows');
    expect(mail?.text).toContain(
      `JSON, ${(bytes / (bytes < 1e6 ? 1e3 : 1e6)).toFixed(1)} ${bytes < 1e6 ? 'kB' : 'MB'}`,
    );
    expect(await listSchedules(ann)).toMatchObject([{ lastRun: { state: 'done', exportId: made?.id } }]);
  });

  test('is not sent if disabled: by the schedule, or for all email', async () => {
    const [ann, ben] = [await someone(), await registerUser(s, `silent-${count}`, 'premium')];
    await createSchedule(ann, { emailNotification: false });
    await createSchedule(ben);
    await savePreferences(ben, { emailNotifications: false });
    await runAt(s, '2026-11-21T08:00:00Z');
    await completePending(s);
    await runAt(s, '2026-11-21T08:01:00Z');
    expect([...(await mailed(ann)), ...(await mailed(ben))]).toEqual([]);
  });

  test('a schedule canceled while its file is created: the file stays, no email is sent', async () => {
    const ann = await someone();
    const { id } = await createSchedule(ann);
    await runAt(s, '2026-11-21T08:00:00Z');
    await ann.remove(`/api/exports/scheduled/${id}`);
    await completePending(s);
    await runAt(s, '2026-11-21T08:01:00Z');
    expect(await readScheduledExports(s, ann)).toMatchObject([{ state: 'done' }]);
    expect(await mailed(ann)).toEqual([]);
  });
});

describe('a file that cannot be created', () => {
  const ERROR = 'There was no room left for the file on our side.';

  test('is tried three times with growing delays, then reported by email and in the list; the schedule continues', async () => {
    const ann = await someone();
    await createSchedule(ann);
    const states: string[] = [];
    for (let minute = 0; minute <= 60; minute += 1) {
      await runAt(s, new Date(Date.UTC(2026, 10, 21, 8, minute)));
      const [made] = await readScheduledExports(s, ann);
      if (made?.state === 'waiting') states.push(`${minute}`);
      await failPending(s, ERROR);
      if (minute === 2) {
        const error = `${ERROR} Next attempt at 2026-11-21 08:06 UTC.`;
        expect(await listSchedules(ann)).toMatchObject([{ lastRun: { state: 'waiting', error } }]);
      }
    }
    expect(states).toEqual(['0', '6', '37']);
    const [mail, ...more] = await mailed(ann);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'scheduled-export-failed',
      subject: 'Your export failed: Daily · Crypto prices · CSV',
    });
    expect(mail?.text).toContain('after 3 attempts');
    expect(mail?.text).toContain(ERROR);
    expect(mail?.text).toContain('The schedule stays active');
    expect(await listSchedules(ann)).toMatchObject([
      { state: 'active', nextRunAt: '2026-11-22T08:00:00.000Z', lastRun: { state: 'failed', error: ERROR } },
    ]);
    await runAt(s, '2026-11-22T08:00:00Z');
    await completePending(s);
    await runAt(s, '2026-11-22T08:01:00Z');
    expect((await mailed(ann)).map(({ kind }) => kind)).toEqual(['scheduled-export-failed', 'scheduled-export']);
  });

  test('and succeeds at the second try: only that is reported', async () => {
    const ann = await someone();
    await createSchedule(ann);
    await runAt(s, '2026-11-21T08:00:00Z');
    await failPending(s, ERROR);
    await runAt(s, '2026-11-21T08:01:00Z');
    await runAt(s, '2026-11-21T08:06:00Z');
    await completePending(s);
    await runAt(s, '2026-11-21T08:07:00Z');
    expect((await mailed(ann)).map(({ kind }) => kind)).toEqual(['scheduled-export']);
    expect(await listSchedules(ann)).toMatchObject([{ lastRun: { state: 'done', error: null } }]);
  });

  test('is not retried once its schedule is canceled', async () => {
    const ann = await someone();
    const { id } = await createSchedule(ann);
    await runAt(s, '2026-11-21T08:00:00Z');
    await failPending(s, ERROR);
    await ann.remove(`/api/exports/scheduled/${id}`);
    for (const minute of [10, 20, 50]) await runAt(s, `2026-11-21T08:${minute}:00Z`);
    expect(await readScheduledExports(s, ann)).toMatchObject([{ state: 'failed' }]);
    expect(await mailed(ann)).toEqual([]);
  });
});

describe('a plan change', () => {
  test('pauses the schedules with one email; they resume at their next run when Premium+ is back', async () => {
    const ann = await someone();
    await createSchedule(ann);
    await createSchedule(ann, { schedule: 'monthly', emailNotification: false });
    await grantPlan(s, ann.id, 'pro');
    await Promise.all([s.product, other].map(({ scheduler }) => scheduler.runManually('exports.scheduled')));
    await runAt(s, '2026-11-21T08:00:00Z');
    expect(await moments(ann)).toEqual([]);
    expect((await listSchedules(ann)).map(({ state, nextRunAt }) => [state, nextRunAt])).toEqual([
      ['paused', null],
      ['paused', null],
    ]);
    const [mail, ...more] = await mailed(ann);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'scheduled-exports-paused', subject: 'Your scheduled exports are paused' });
    expect(mail?.text).toContain('Daily · Crypto prices · CSV');
    expect(mail?.text).toContain('Monthly · Crypto prices · CSV');
    expect(mail?.links.map(({ href }) => href)).toContain(`${SITE}/app/subscription`);

    s.clock.set(new Date('2026-12-10T12:00:00Z'));
    await grantPlan(s, ann.id, 'premium');
    await runAt(s, '2026-12-10T12:00:30Z');
    expect((await listSchedules(ann)).map(({ state, nextRunAt }) => [state, nextRunAt])).toEqual([
      ['active', '2026-12-20T08:00:00.000Z'],
      ['active', '2026-12-11T08:00:00.000Z'],
    ]);
    expect(await moments(ann)).toEqual([]);
    await runAt(s, '2026-12-11T08:00:00Z');
    expect(await moments(ann)).toEqual(['2026-12-11T08:00:00.000Z']);
    expect(await mailed(ann)).toHaveLength(1);
  });

  test('a paused schedule can be canceled, and does not resume', async () => {
    const ann = await someone();
    const { id } = await createSchedule(ann);
    await grantPlan(s, ann.id, 'pro');
    await runAt(s, '2026-11-20T12:01:00Z');
    expect((await ann.remove(`/api/exports/scheduled/${id}`)).statusCode).toBe(200);
    await grantPlan(s, ann.id, 'premium');
    await runAt(s, '2026-11-22T12:00:00Z');
    expect(await moments(ann)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { give, type Person, person } from '#tests/support/people.ts';
import { prefer } from '#tests/support/preferences.ts';
import { said } from '#tests/support/replies.ts';
import { SCHEDULE, scheduleFor, schedulesOf } from '#tests/support/schedules.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let ann: Person;
beforeAll(async () => {
  s = await start({ env: { EMAIL_CONFIRMATION: 'off' } });
  ann = await person(s, 'ann', 'premium');
});
afterAll(() => s.stop());

describe('scheduling an export', () => {
  test("answers 'Export scheduled successfully!' with the schedule, which is in the list", async () => {
    const answer = await ann.post('/api/exports/schedule', { ...SCHEDULE, schedule: 'weekly', format: 'xlsx' });
    expect(answer.statusCode).toBe(200);
    const { success, message, scheduled } = answer.json();
    expect([success, message]).toEqual([true, 'Export scheduled successfully!']);
    expect(scheduled).toEqual({
      id: expect.any(Number),
      name: 'Weekly · Crypto prices · XLSX',
      schedule: 'weekly',
      format: 'xlsx',
      dataTypes: ['crypto_prices'],
      dateRange: '7d',
      emailNotification: true,
      timeZone: 'UTC',
      hour: 8,
      state: 'active',
      // It is Friday noon.
      nextRunAt: '2026-11-27T08:00:00.000Z',
      lastRun: null,
    });
    expect(await schedulesOf(ann)).toEqual([scheduled]);
  });

  test('is in the time zone of the person, or the one asked for, at the hour asked for', async () => {
    const ben = await person(s, 'ben', 'premium');
    await prefer(ben, { more: { timeZone: 'Asia/Kolkata' } });
    expect(await scheduleFor(ben)).toMatchObject({ timeZone: 'Asia/Kolkata', nextRunAt: '2026-11-21T02:30:00.000Z' });
    const there = await scheduleFor(ben, { timeZone: 'America/New_York', hour: 18, schedule: 'monthly' });
    expect(there).toMatchObject({ timeZone: 'America/New_York', hour: 18, nextRunAt: '2026-11-20T23:00:00.000Z' });
    expect((await schedulesOf(ben)).map(({ id }) => id)).toEqual([there.id, there.id - 1]);
  });

  test.each([
    [{ timeZone: 'Europe/Atlantis' }, 'This time zone is not known'],
    [{ dataTypes: [] }, 'Choose at least one kind of data'],
    [{ dateRange: 'custom' }, 'A schedule needs a moving range'],
  ])('%j: %s', async (change, sentence) => {
    const [status, error] = said(await ann.post('/api/exports/schedule', { ...SCHEDULE, ...change }));
    expect(status).toBe(400);
    expect(error).toContain(sentence);
  });

  test.each([{ schedule: 'hourly' }, { hour: 24 }, { dataTypes: ['secrets'] }, { more: 1 }])(
    '%j is refused',
    async (change) => {
      expect((await ann.post('/api/exports/schedule', { ...SCHEDULE, ...change })).statusCode).toBe(400);
    },
  );

  test('each kind of data counts once', async () => {
    const { dataTypes } = await scheduleFor(ann, { dataTypes: ['alerts', 'alerts', 'narratives'] });
    expect(dataTypes).toEqual(['alerts', 'narratives']);
  });

  test('a person has 20 of them at most, however many are asked for at once', async () => {
    const cat = await person(s, 'cat', 'premium');
    const answers = await Promise.all(Array.from({ length: 24 }, () => cat.post('/api/exports/schedule', SCHEDULE)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect(refused && said(refused)).toEqual([409, 'There can be 20 scheduled exports at most. Cancel one first.']);
    const [first] = await schedulesOf(cat);
    await cat.remove(`/api/exports/scheduled/${first?.id}`);
    expect((await cat.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(200);
  });

  test('is for Premium+; others are told so', async () => {
    const dan = await person(s, 'dan', 'pro');
    const eve = await person(s, 'eve');
    expect((await dan.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(403);
    expect((await dan.get('/api/exports/scheduled')).json()).toEqual([]);
    expect((await eve.get('/api/exports/scheduled')).statusCode).toBe(403);
    expect((await s.get('/api/exports/scheduled')).statusCode).toBe(401);
    await give(s, dan.id, 'admin');
    expect((await dan.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(200);
  });
});

describe('cancelling a schedule', () => {
  test('takes it out of the list, once; one of somebody else is not known', async () => {
    const fay = await person(s, 'fay', 'premium');
    const { id } = await scheduleFor(fay);
    const url = `/api/exports/scheduled/${id}`;
    expect(said(await ann.remove(url))).toEqual([404, 'There is no such schedule in your list']);
    expect(await schedulesOf(fay)).toHaveLength(1);
    const answer = await fay.remove(url);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    expect(await schedulesOf(fay)).toEqual([]);
    expect((await fay.remove(url)).statusCode).toBe(404);
    expect((await fay.remove('/api/exports/scheduled/x')).statusCode).toBe(400);
  });
});

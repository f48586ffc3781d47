import { crc32, deflateSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { savePreferences } from '#tests/support/preferences.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { createSchedule, listSchedules, SCHEDULE } from '#tests/support/schedules.ts';
import { resolveBranding } from './service/branding.ts';

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });
const ann = member(s, 'ann', 'premium');

describe('scheduling an export', () => {
  test("returns 'Export scheduled successfully!' with the schedule, which is in the list", async () => {
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
    expect(await listSchedules(ann)).toEqual([scheduled]);
  });

  test('uses the time zone of the user, or the requested one, at the requested hour', async () => {
    const ben = await registerUser(s, 'ben', 'premium');
    await savePreferences(ben, { more: { timeZone: 'Asia/Kolkata' } });
    expect(await createSchedule(ben)).toMatchObject({
      timeZone: 'Asia/Kolkata',
      nextRunAt: '2026-11-21T02:30:00.000Z',
    });
    const there = await createSchedule(ben, { timeZone: 'America/New_York', hour: 18, schedule: 'monthly' });
    expect(there).toMatchObject({ timeZone: 'America/New_York', hour: 18, nextRunAt: '2026-11-20T23:00:00.000Z' });
    expect((await listSchedules(ben)).map(({ id }) => id)).toEqual([there.id, there.id - 1]);
  });

  test.each([
    [{ timeZone: 'Europe/Atlantis' }, 'Unknown time zone'],
    [{ dataTypes: [] }, 'Choose at least one data type'],
    [{ dateRange: 'custom' }, 'A schedule needs a rolling range'],
  ])('%j: %s', async (change, sentence) => {
    const [status, error] = statusAndMessage(await ann.post('/api/exports/schedule', { ...SCHEDULE, ...change }));
    expect(status).toBe(400);
    expect(error).toContain(sentence);
  });

  test.each([{ schedule: 'hourly' }, { hour: 24 }, { dataTypes: ['secrets'] }, { more: 1 }])(
    '%j is rejected',
    async (change) => {
      expect((await ann.post('/api/exports/schedule', { ...SCHEDULE, ...change })).statusCode).toBe(400);
    },
  );

  test('each kind of data counts once', async () => {
    const { dataTypes } = await createSchedule(ann, { dataTypes: ['alerts', 'alerts', 'narratives'] });
    expect(dataTypes).toEqual(['alerts', 'narratives']);
  });

  test('a user has 20 of them at most, even with concurrent requests', async () => {
    const cat = await registerUser(s, 'cat', 'premium');
    const answers = await Promise.all(Array.from({ length: 24 }, () => cat.post('/api/exports/schedule', SCHEDULE)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    expect(refused && statusAndMessage(refused)).toEqual([
      409,
      'Limit reached: 20 scheduled exports. Cancel one to add another.',
    ]);
    const [first] = await listSchedules(cat);
    await cat.remove(`/api/exports/scheduled/${first?.id}`);
    expect((await cat.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(200);
  });

  test('requires Premium+; others get a message', async () => {
    const dan = await registerUser(s, 'dan', 'pro');
    expect((await dan.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(403);
    expect((await dan.get('/api/exports/scheduled')).json()).toEqual([]);
    await grantPlan(s, dan.id, 'admin');
    expect((await dan.post('/api/exports/schedule', SCHEDULE)).statusCode).toBe(200);
  });
});

describe('cancelling a schedule', () => {
  test('removes it from the list, once', async () => {
    const fay = await registerUser(s, 'fay', 'premium');
    const { id } = await createSchedule(fay);
    const url = `/api/exports/scheduled/${id}`;
    const answer = await fay.remove(url);
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    expect(await listSchedules(fay)).toEqual([]);
    expect(statusAndMessage(await fay.remove(url))).toEqual([404, 'Schedule not found']);
    expect((await fay.remove('/api/exports/scheduled/x')).statusCode).toBe(400);
  });
});

const URL = '/api/exports/white-label';
const OURS = { name: null, logo: null, colour: null };

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A grey image; `ballast` bytes of text make it larger. */
function png(width: number, height: number, ballast = 0): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.alloc(ballast, 'x')),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height, 0))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Only the parts read for its size: a JFIF head, a table and the frame. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0]);
  return Buffer.concat([head, frame, Buffer.from([0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9])]);
}

const asUrl = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
const put = (who: TestUser, change: object) => who.put(URL, { ...OURS, ...change });

describe('the branding of reports', () => {
  test('is the default until changed; saved branding is reloaded and can be reset', async () => {
    expect((await ann.get(URL)).json()).toEqual(OURS);
    const logo = asUrl(png(40, 20));
    const look = { name: 'Ann’s Capital 資本', logo, colour: '#1A2b3C' };
    expect((await put(ann, look)).json()).toEqual({ ...look, colour: '#1a2b3c' });
    expect((await ann.get(URL)).json()).toEqual({ ...look, colour: '#1a2b3c' });
    expect((await put(ann, { name: '  Other  ' })).json()).toEqual({ ...OURS, name: 'Other' });
    expect((await put(ann, {})).json()).toEqual(OURS);
  });

  test('a logo is identified by its bytes and stored under that type', async () => {
    const bytes = jpeg(300, 100);
    expect((await put(ann, { logo: asUrl(bytes, 'png') })).json<typeof OURS>().logo).toBe(asUrl(bytes, 'jpeg'));
  });

  const PICTURE = 'The logo must be a PNG or JPEG';
  const headless = (...bytes: number[]) => Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...bytes]);
  const broken = png(10, 10);
  broken[broken.length - 20] = 0xaa;
  test.each([
    ['no picture at all', asUrl(Buffer.from('<svg onload=alert(1)>')), PICTURE],
    ['a picture that breaks off', asUrl(png(10, 10).subarray(0, -14)), PICTURE],
    ['a picture with a wrong sum', asUrl(broken), PICTURE],
    ['a JPEG without its end', asUrl(jpeg(10, 10).subarray(0, -2), 'jpeg'), PICTURE],
    ['a JPEG whose segments lead nowhere', asUrl(headless(0xff, 0xff, 0, 0, 0, 0, 0, 0xff, 0xd9)), PICTURE],
    ['a JPEG whose segment has no length', asUrl(headless(0, 0, 0xff, 0xd9, 0, 0, 0, 0, 0)), PICTURE],
    ['more than 150 kB', asUrl(png(10, 10, 150_000)), 'The logo must be 150 kB or smaller'],
    ['much more than 150 kB', asUrl(png(10, 10, 170_000)), 'The logo must be 150 kB or smaller'],
    ['2001 pixels', asUrl(png(2001, 1)), 'The logo can be at most 2,000 × 2,000 pixels'],
    ['no pixels', asUrl(png(0, 5)), 'The logo has no dimensions'],
  ])('%s is rejected', async (_what, logo, sentence) => {
    const answer = await put(ann, { logo });
    expect(statusAndMessage(answer)).toEqual([400, sentence]);
  });

  test('2000 pixels and almost 150 kB are accepted', async () => {
    const bytes = png(2000, 2000, 130_000);
    expect(bytes.length).toBeLessThan(150_000);
    expect((await put(ann, { logo: asUrl(bytes) })).statusCode).toBe(200);
  });

  test.each([{ colour: 'red' }, { colour: '#12345' }, { name: ' ' }, { name: 'n'.repeat(61) }, { logo: undefined }])(
    '%j is rejected',
    async (change) => {
      expect((await put(ann, change)).statusCode).toBe(400);
    },
  );

  test('requires Premium+: below it the default applies, and saved branding returns with the plan', async () => {
    const ben = await registerUser(s, 'gus', 'pro');
    const { db } = s.product.market.ctx;
    const bytes = png(40, 20);
    await put(ann, { name: 'Ann', logo: asUrl(bytes), colour: '#1a2b3c' });
    const own = { name: 'Ann', logo: { bytes, type: 'png' }, colour: '#1a2b3c' };
    expect(await resolveBranding(db, ann.id, 'premium')).toEqual(own);
    expect(await resolveBranding(db, ann.id, 'admin')).toEqual(own);
    for (const plan of ['free', 'pro'] as const)
      expect(await resolveBranding(db, ann.id, plan)).toEqual({ name: 'Meridian', logo: null, colour: '#6bb1ff' });
    expect(await resolveBranding(db, ben.id, 'premium')).toMatchObject({ name: 'Meridian', logo: null });
  });
});

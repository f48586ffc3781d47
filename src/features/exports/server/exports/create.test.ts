import { createHash } from 'node:crypto';

import { beforeAll, expect, test } from 'vitest';

import { createExport, exportStatistics, getExport, listExports } from '#features/exports/contract/exports.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { NOON } from '#tests/support/start.ts';
import { storeHistory } from '#tests/support/stored-past.ts';

const CREATE = '/api/exports/create';
const LARGE = { dataType: 'crypto_prices', dateRange: '30d', format: 'csv' };
const BASIC = { dataType: 'fear_greed', dateRange: '7d', format: 'json' };
const ADVANCED = { dataTypes: ['fear_greed'], dateRange: '7d', format: 'json' };

const s = fileProduct({ env: { EXPORT_ROWS_AT_ONCE: '500', EXPORTS_PER_DAY: '4' } });
const pro = member(s, 'pro', 'pro');
const premium = member(s, 'premium', 'premium');
beforeAll(async () => {
  await storeHistory(s);
}, 120_000);

const refused = async (who: TestUser | null, body: unknown) => {
  const answer = who ? await who.post(CREATE, body) : await sendRequest(s, 'POST', CREATE, body);
  const { error, code } = answer.json<{ error: string; code: string }>();
  return [answer.statusCode, code, error];
};
const statisticsOf = async (who: TestUser) =>
  exportStatistics.reply.parse((await who.get('/api/exports/statistics')).json());

test('a user without export access gets the specified message', async () => {
  const free = await registerUser(s, 'free');
  const signedOut = 'Authentication required. Please log in to access data export features.';
  const lower =
    'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.';
  expect(await refused(null, BASIC)).toEqual([401, 'unauthenticated', signedOut]);
  expect(await refused(free, BASIC)).toEqual([403, 'upgrade_required', lower]);
  for (const path of ['history', 'statistics', crypto.randomUUID(), `${crypto.randomUUID()}/file`]) {
    const none = await s.get(`/api/exports/${path}`);
    expect([none.statusCode, none.json()], path).toEqual([401, { error: signedOut, code: 'unauthenticated' }]);
    const low = await free.get(`/api/exports/${path}`);
    expect([low.statusCode, low.json()], path).toEqual([403, { error: lower, code: 'upgrade_required' }]);
  }
});

test('Premium+ features are rejected on Pro, and no rejection is charged', async () => {
  const words =
    'This export requires Premium+, which includes multiple data types in one file, PDF, XML, alerts, backtest results and custom date ranges.';
  const custom = { dateRange: 'custom', startDate: '2026-11-01', endDate: '2026-11-02' };
  for (const body of [
    ADVANCED,
    { ...BASIC, format: 'pdf' },
    { ...BASIC, format: 'xml' },
    { ...BASIC, ...custom },
    { ...BASIC, dataType: 'alerts' },
    { ...BASIC, dataType: 'backtest_results' },
  ])
    expect(await refused(pro, body), JSON.stringify(body)).toEqual([403, 'upgrade_required', words]);
  expect((await statisticsOf(pro)).today).toBe(0);
});

test('an invalid request is rejected with one sentence', async () => {
  const between = (startDate: string, endDate: string) => ({ ...ADVANCED, dateRange: 'custom', startDate, endDate });
  const cases: [object, string][] = [
    [{ ...BASIC, ...ADVANCED }, 'Send either dataType or dataTypes, not both'],
    [{ dateRange: '7d', format: 'json' }, 'Choose at least one data type'],
    [{ ...ADVANCED, dataTypes: [] }, 'Choose at least one data type'],
    [{ ...ADVANCED, dateRange: 'custom' }, 'A custom range needs a start and an end date'],
    [{ ...ADVANCED, startDate: '2026-11-01' }, 'Start and end dates require a custom range'],
    [between('2026-11-03', '2026-11-02'), 'The end date is before the start date'],
    [between('2026-11-03', '2026-11-21'), 'The end date is in the future'],
    [between('01.02.2026', '2026-11-21'), 'Dates must be written as 2026-01-31'],
    [between('2020-01-01', '2020-01-02'), 'No data of this type in this range. Choose a longer or later range.'],
  ];
  for (const [body, words] of cases) expect(await refused(premium, body)).toEqual([400, 'bad_request', words]);
  for (const body of [
    { ...BASIC, dataType: 'secrets' },
    { ...BASIC, format: 'exe' },
    { ...BASIC, dateRange: '5y' },
    { ...BASIC, more: 1 },
    [],
    'text',
  ])
    expect((await refused(premium, body))[0], JSON.stringify(body)).toBe(400);
  expect((await statisticsOf(premium)).total).toBe(0);
});

test('a small export returns its file, named by data, range and day, and appears in the list', async () => {
  const answer = await pro.post(CREATE, BASIC);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="fear_greed-7d-2026-11-20.json"');
  expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
  const list = listExports.reply.parse((await pro.get('/api/exports/history')).json());
  expect(list).toEqual([
    {
      id: answer.headers['x-export-id'],
      type: 'Fear and greed',
      data_types: ['fear_greed'],
      dateRange: '7d',
      from: '2026-11-13T12:00:00.000Z',
      to: NOON.toISOString(),
      format: 'json',
      compression: false,
      created_at: NOON.toISOString(),
      file_size: answer.rawPayload.length,
      file_name: 'fear_greed-7d-2026-11-20.json',
      rows: 8,
      sha256: createHash('sha256').update(answer.rawPayload).digest('hex'),
      state: 'done',
      progress: 1,
      error: null,
      expires_at: '2026-11-27T12:00:00.000Z',
      schedule_id: null,
    },
  ]);
  expect(listExports.reply.parse((await premium.get('/api/exports/history')).json())).toEqual([]);
});

test('a big export returns its future file location, is created by the job, and can then be downloaded', async () => {
  const answer = await premium.post(CREATE, LARGE);
  expect(answer.statusCode).toBe(202);
  const { id, status, url } = createExport.reply.parse(answer.json());
  expect([status, url]).toEqual(['waiting', `/api/exports/${id}/file`]);
  const early = await premium.get(url);
  expect(statusAndMessage(early)).toEqual([409, 'This file is not ready yet']);
  await s.product.scheduler.runManually('exports.make');
  const item = getExport.reply.parse((await premium.get(`/api/exports/${id}`)).json());
  expect(item).toMatchObject({ state: 'done', rows: 720, progress: 1, file_name: 'crypto_prices-30d-2026-11-20.csv' });
  const file = await premium.get(url);
  expect(file.statusCode).toBe(200);
  expect(file.rawPayload.length).toBe(item.file_size);
});

test('Pro gets its exports per UTC day and not one more, even when requested concurrently', async () => {
  const other = await registerUser(s, 'quota', 'pro');
  const answers = await Promise.all(Array.from({ length: 7 }, () => other.post(CREATE, BASIC)));
  const codes = answers.map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 200 || code === 202)).toHaveLength(4);
  const over = answers.find(({ statusCode }) => statusCode === 429);
  expect(over?.json()).toEqual({
    error: 'You have used all 4 exports in your plan for today. The quota resets at 00:00 UTC, in 12 hours.',
    code: 'rate_limited',
  });
  expect(over?.headers['retry-after']).toBe(String(12 * 3600));
  expect(codes.filter((code) => code === 429)).toHaveLength(3);
  for (let i = 0; i < 3; i++) await s.product.scheduler.runManually('exports.make');
  expect(await statisticsOf(other)).toMatchObject({
    today: 4,
    perDay: 4,
    total: 4,
    thisMonth: 4,
    resetsAt: '2026-11-21T00:00:00.000Z',
  });
  expect((await statisticsOf(premium)).perDay).toBeNull();

  const [first] = listExports.reply.parse((await other.get('/api/exports/history')).json());
  expect((await other.remove(`/api/exports/${first?.id}`)).statusCode).toBe(200);
  expect((await other.post(CREATE, BASIC)).statusCode).toBe(429);
  s.advance(12 * 3_600_000);
  expect((await other.post(CREATE, BASIC)).statusCode).toBe(200);
  s.advance(-12 * 3_600_000);
});

test('429: twenty canceled or failed exports use up the day, on every plan', async () => {
  const other = await registerUser(s, 'restless', 'premium');
  const cancel = async () => {
    const { id } = createExport.reply.parse((await other.post(CREATE, LARGE)).json());
    expect((await other.remove(`/api/exports/${id}`)).statusCode).toBe(200);
  };
  for (let i = 0; i < 20; i++) await cancel();
  const refused = await other.post(CREATE, LARGE);
  expect(statusAndMessage(refused)).toEqual([
    429,
    expect.stringMatching(/^20 of your exports were canceled or failed today\. You can export again from 00:00 UTC/),
  ]);
  s.advance(12 * 3_600_000);
  await cancel();
  s.advance(-12 * 3_600_000);
});

test('an export canceled before it is created is not charged', async () => {
  const other = await registerUser(s, 'undecided', 'pro');
  const answer = await other.post(CREATE, LARGE);
  const { id } = createExport.reply.parse(answer.json());
  expect((await statisticsOf(other)).today).toBe(1);
  expect((await other.remove(`/api/exports/${id}`)).json()).toEqual({ success: true });
  expect((await statisticsOf(other)).today).toBe(0);
  await s.product.scheduler.runManually('exports.make');
  const item = getExport.reply.parse((await other.get(`/api/exports/${id}`)).json());
  expect(item).toMatchObject({ state: 'cancelled', file_size: null });
  expect((await other.remove(`/api/exports/${id}`)).statusCode).toBe(409);
});

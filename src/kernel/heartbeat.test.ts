import { beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { deleteOldHeartbeats, measuredUptime, recordHeartbeat } from './heartbeat.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

const open = fileDatabase();
beforeEach(() => open.pool.query('delete from process_heartbeats'));

/** One heartbeat per minute from `from` until before `to`, both in minutes after noon. */
const serve = (from: number, to: number, processId = 'one', role = 'all') =>
  open.pool.query(
    `insert into process_heartbeats select $1::timestamptz + n * interval '1 minute', $4, $5
     from generate_series($2::int, $3::int - 1) n on conflict do nothing`,
    [new Date(NOON).toISOString(), from, to, processId, role],
  );
const uptimeAt = (minutes: number, ms = 0) => measuredUptime(open.db, new Date(NOON + minutes * MINUTE_MS + ms));

describe('measured uptime', () => {
  test('nothing is claimed before ten minutes have been measured', async () => {
    expect(await uptimeAt(0)).toEqual({ percent: null, windowDays: 0, targetPercent: 99.9 });
    await serve(0, 30);
    expect((await uptimeAt(9, 59_999)).percent).toBeNull();
    expect((await uptimeAt(10)).percent).toBe(100);
  });

  test('every minute without a heartbeat counts, including the last ones', async () => {
    await serve(0, 60);
    await serve(70, 100);
    expect((await uptimeAt(100)).percent).toBe(90);
    expect((await uptimeAt(200)).percent).toBe(45);
  });

  test('the current minute does not count either way', async () => {
    await serve(0, 20);
    expect((await uptimeAt(20, 30_000)).percent).toBe(100);
    await serve(20, 21);
    expect((await uptimeAt(20, 30_000)).percent).toBe(100);
  });

  test('two processes serving together count once, one alone is enough, and workers do not serve', async () => {
    await serve(0, 50, 'one');
    await serve(30, 80, 'two', 'web');
    await serve(0, 100, 'three', 'worker');
    expect((await uptimeAt(100)).percent).toBe(80);
  });

  test('a single lost minute in a month does not round up to 100', async () => {
    await serve(0, 1000);
    await serve(1001, 43_200);
    const { percent, windowDays } = await uptimeAt(43_200);
    expect([percent, windowDays]).toEqual([99.998, 30]);
  });

  test('data older than 30 days does not count, and an outage at their start does', async () => {
    await serve(0, 1440);
    await serve(15 * 1440, 40 * 1440);
    expect(await uptimeAt(40 * 1440)).toMatchObject({ percent: 83.333, windowDays: 30 });
  });

  test('an outage of more than 30 days is 0%, not unknown', async () => {
    await serve(0, 1440);
    expect(await uptimeAt(40 * 1440)).toMatchObject({ percent: 0, windowDays: 30 });
  });
});

describe('heartbeats', () => {
  test('are one row per minute and process, however often it beats', async () => {
    for (const [ms, id] of [
      [0, 'one'],
      [20_000, 'one'],
      [59_999, 'one'],
      [30_000, 'two'],
      [60_000, 'one'],
    ] as const)
      await recordHeartbeat(open.db, new Date(NOON + ms), id, 'all');
    const { rows } = await open.pool.query(
      'select minute, process_id from process_heartbeats order by minute, process_id',
    );
    expect(rows).toEqual([
      { minute: '2026-11-20T12:00:00.000Z', process_id: 'one' },
      { minute: '2026-11-20T12:00:00.000Z', process_id: 'two' },
      { minute: '2026-11-20T12:01:00.000Z', process_id: 'one' },
    ]);
  });

  test('are retained for 90 days', async () => {
    await serve(0, 1);
    await serve(1440, 1441);
    await deleteOldHeartbeats(open.db, new Date(NOON + 91 * DAY_MS - MINUTE_MS));
    const { rows } = await open.pool.query('select minute from process_heartbeats');
    expect(rows).toEqual([{ minute: '2026-11-21T12:00:00.000Z' }]);
  });
});

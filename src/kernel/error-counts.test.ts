import fc from 'fast-check';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { createClock } from './clock.ts';
import { createErrorReports } from './error-reports.ts';
import { deleteOldErrors, MAX_GROUPS, MAX_GROUPS_PER_SOURCE, MAX_OCCURRENCES } from './error-store.ts';

const NOON = new Date('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;

const open = fileDatabase();
const clock = createClock();
const silent = pino({ level: 'silent' });

const made: ReturnType<typeof createErrorReports>[] = [];
beforeEach(async () => {
  clock.set(NOON);
  // Repeats are written two seconds later; flush them so that they do not leak into the next test.
  for (const { settled } of made.splice(0)) await settled();
  await open.db.deleteFrom('error_groups').execute();
});

function reports(now = clock.now) {
  const its = createErrorReports(open.db, silent, now);
  made.push(its);
  return its;
}
const groups = () => open.db.selectFrom('error_groups').selectAll().orderBy('id').execute();
const total = async () => (await groups()).reduce((sum, { count }) => sum + count, 0);

describe('a group', () => {
  test('counts every occurrence, and reports the first, last and latest', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < 100; n++) {
      report('market', 'system', `Coin ${n} is lost`, { requestId: `request-${n}`, n });
      clock.advance(1000);
    }
    await settled();
    expect(await groups()).toEqual([
      {
        id: expect.any(Number),
        fingerprint: expect.stringMatching(/^[\da-f]{32}$/),
        source: 'market',
        type: 'system',
        message: 'Coin 99 is lost',
        details: '{"requestId":"request-99","n":99}',
        request_id: 'request-99',
        first_seen: '2026-11-20T12:00:00.000Z',
        last_seen: '2026-11-20T12:01:39.000Z',
        count: 100,
        resolved_at: null,
      },
    ]);
  });

  test('counts repeats within the quiet minute too, without storing each one', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < 1000; n++) report('OKX', 'api_failure', 'OKX answered 503');
    await settled();
    for (let n = 0; n < 500; n++) report('OKX', 'api_failure', 'OKX answered 503');
    await settled();
    expect((await groups()).map(({ count }) => count)).toEqual([1500]);
    expect(await open.db.selectFrom('error_logs').select('id').execute()).toHaveLength(1);
  });

  test('retains only its newest occurrences', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < 50; n++) report('market', 'system', `Coin ${n} is lost`);
    await settled();
    for (let n = 50; n < 55; n++) report('market', 'system', `Coin ${n} is lost`);
    await settled();
    const kept = await open.db.selectFrom('error_logs').select('message').orderBy('id').execute();
    expect(kept).toHaveLength(MAX_OCCURRENCES);
    expect([kept[0]?.message, kept.at(-1)?.message]).toEqual(['Coin 35 is lost', 'Coin 54 is lost']);
  });

  test('a clock behind another process’s changes neither the last time nor the latest occurrence', async () => {
    const ahead = reports();
    const behind = reports(() => new Date(NOON.getTime() - 60_000));
    ahead.report('OKX', 'api_failure', 'No answer', { from: 'ahead' });
    await ahead.settled();
    behind.report('OKX', 'api_failure', 'No answer', { from: 'behind', requestId: 'r-1' });
    await behind.settled();
    expect(await groups()).toMatchObject([
      {
        count: 2,
        details: '{"from":"ahead"}',
        request_id: 'r-1',
        first_seen: '2026-11-20T11:59:00.000Z',
        last_seen: NOON.toISOString(),
      },
    ]);
  });

  test('details that throw when inspected do not prevent others from being stored', async () => {
    const { report, settled } = reports();
    const refuse = () => {
      throw new Error('not for you');
    };
    const evil = new Proxy({}, { get: refuse, getPrototypeOf: refuse, ownKeys: refuse });
    expect(() =>
      report('server', 'system', 'Evil', {
        toJSON: refuse,
        get requestId() {
          return refuse();
        },
      }),
    ).not.toThrow();
    expect(() => report('server', 'system', 'Good')).not.toThrow();
    await settled();
    expect((await groups()).map(({ message }) => message)).toEqual(['Evil', 'Good']);
    const looked = createErrorReports(open.db, pino({ level: 'fatal' }), clock.now);
    expect(() => looked.report('a', 'other', 'b', evil)).not.toThrow();
    await looked.settled();
  });
});

describe('several processes', () => {
  test('counts are exact whatever each process reports, in any write order', async () => {
    const step = fc.record({
      process: fc.nat(2),
      failure: fc.nat(5),
      times: fc.integer({ min: 1, max: 40 }),
      ms: fc.nat(90_000),
      waits: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        await open.db.deleteFrom('error_groups').execute();
        const each = [reports(), reports(), reports()] as const;
        const said = new Map<string, number>();
        for (const { process, failure, times, ms, waits } of steps) {
          const message = `Failure ${'abcdef'[failure]}`;
          for (let n = 0; n < times; n++) each[process as 0].report('source', 'system', message);
          said.set(message, (said.get(message) ?? 0) + times);
          clock.advance(ms);
          if (waits) await each[process as 0].settled();
        }
        await Promise.all(each.map(({ settled }) => settled()));
        expect(new Map((await groups()).map(({ message, count }) => [message, count]))).toEqual(said);
      }),
      { numRuns: 6 },
    );
  });

  test('many concurrent failures in three processes: none is lost, none is duplicated', async () => {
    const each = [reports(), reports(), reports()];
    for (let n = 0; n < 150; n++) for (const { report } of each) report('source', 'system', `At ${'x'.repeat(n + 1)}`);
    await Promise.all(each.map(({ settled }) => settled()));
    const found = await groups();
    expect([found.length, new Set(found.map(({ count }) => count))]).toEqual([150, new Set([3])]);
  });
});

describe('a flood of different messages', () => {
  const word = (n: number) => Array.from(String(n), (digit) => 'abcdefghij'[Number(digit)]).join('');

  test('from one source ends in one entry for the rest of it: every one is counted, the newest is shown', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < 1000; n++) {
      report('browser', 'system', `Broken ${word(n)}`, 'at a.js');
      if (n % 100 === 0) await settled();
    }
    await settled();
    report('market', 'system', 'A real failure');
    await settled();
    const found = await groups();
    expect(found.filter(({ source }) => source === 'browser')).toHaveLength(MAX_GROUPS_PER_SOURCE + 1);
    expect(found.find(({ message }) => message === 'Further errors of browser')).toMatchObject({
      details: 'Broken jjj\n\nat a.js',
      count: 1000 - MAX_GROUPS_PER_SOURCE,
    });
    expect(found.at(-1)).toMatchObject({ message: 'A real failure', count: 1 });
  });

  test('from many sources together is bounded, in memory and in the table', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < 14; n++) {
      for (let m = 0; m < 150; m++) report(`source ${word(n)}`, 'other', `Broken ${word(m)}`);
      await settled();
    }
    for (let n = 0; n < 2000; n++) report(`further ${word(n)}`, 'other', 'Broken');
    await settled();
    const found = await groups();
    expect(found).toHaveLength(MAX_GROUPS + 1);
    expect(found.at(-1)).toMatchObject({ source: 'other sources', message: 'Further errors of other sources' });
    expect(await total()).toBe(14 * 150 + 2000);
  });

  test('resolved entries make room', async () => {
    const { report, settled } = reports();
    for (let n = 0; n < MAX_GROUPS_PER_SOURCE; n++) report('browser', 'system', `Broken ${word(n)}`);
    await settled();
    await open.db.updateTable('error_groups').set({ resolved_at: NOON.toISOString() }).execute();
    report('browser', 'system', 'Something new');
    await settled();
    expect((await groups()).at(-1)).toMatchObject({ message: 'Something new', count: 1 });
  });
});

test('while the database is down: occurrences are counted when it is back', async () => {
  const { report, settled } = reports();
  await open.pool.query('alter table error_groups rename to away');
  for (let n = 0; n < 7; n++) report('OKX', 'api_failure', 'No answer');
  await settled();
  clock.advance(10_000);
  for (let n = 0; n < 5; n++) report('OKX', 'api_failure', 'No answer');
  report('market', 'system', 'Another');
  await settled();
  await open.pool.query('alter table away rename to error_groups');
  await settled();
  expect((await groups()).map(({ message, count, first_seen }) => [message, count, first_seen])).toEqual([
    ['No answer', 12, '2026-11-20T12:00:00.000Z'],
    ['Another', 1, '2026-11-20T12:00:10.000Z'],
  ]);
});

test('retention: errors not seen for 30 days are deleted; those still seen keep their count', async () => {
  const { report, settled } = reports();
  report('OKX', 'api_failure', 'Gone');
  report('OKX', 'api_failure', 'Still there');
  await settled();
  clock.advance(30 * DAY_MS - 1000);
  report('OKX', 'api_failure', 'Still there');
  await settled();
  await deleteOldErrors(open.db, clock.now(), 30);
  expect(await groups()).toHaveLength(2);
  clock.advance(2000);
  await deleteOldErrors(open.db, clock.now(), 30);
  expect((await groups()).map(({ message, count }) => [message, count])).toEqual([['Still there', 2]]);
  expect(await open.db.selectFrom('error_logs').select('message').execute()).toEqual([{ message: 'Still there' }]);
});

import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { createClock } from './clock.ts';
import { openDatabase } from './db.ts';
import { createErrorReports, type ErrorType } from './error-reports.ts';

const NOON = new Date('2026-11-20T12:00:00Z');

const open = fileDatabase();
let lines: Record<string, unknown>[];
const clock = createClock();

beforeEach(async () => {
  await open.db.deleteFrom('error_groups').execute();
  lines = [];
  clock.set(NOON);
});

const reports = () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return createErrorReports(open.db, log, clock.now);
};
const stored = () => open.db.selectFrom('error_logs').selectAll().orderBy('timestamp').orderBy('type').execute();
const logged = (level: number) => lines.filter((line) => line['level'] === level);

describe('a report', () => {
  test('each of the five types is stored and logged, with its time', async () => {
    const { report, settled } = reports();
    const types: ErrorType[] = ['api_failure', 'authentication', 'data_collection', 'other', 'system'];
    for (const type of types) report('CoinGecko', type, `A ${type} failed`, { status: 503 });
    await settled();
    expect(await stored()).toEqual(
      types.map((type) => ({
        id: expect.any(Number),
        source: 'CoinGecko',
        type,
        message: `A ${type} failed`,
        details: '{"status":503}',
        timestamp: '2026-11-20T12:00:00.000Z',
        group_id: expect.any(Number),
      })),
    );
    expect(logged(40).map((line) => line['type'])).toEqual(types);
  });

  const circular: Record<string, unknown> = { name: 'loop' };
  circular['self'] = circular;
  test.each([
    ['nothing', undefined, null],
    ['a text', 'as it is', 'as it is'],
    ['an error with its stack', new TypeError('odd'), expect.stringMatching(/^TypeError: odd\n +at /)],
    ['what JSON cannot say: a circle', circular, expect.stringContaining('[Circular')],
    ['what JSON cannot say: a bigint', { n: 5n }, expect.stringContaining('5n')],
    ['what JSON leaves out', Symbol('x'), 'Symbol(x)'],
    ['zero bytes, which PostgreSQL refuses', 'a\0b', 'ab'],
    ['too much', 'x'.repeat(20_000), 'x'.repeat(8000)],
  ])('details: %s', async (_what, details, expected) => {
    const { report, settled } = reports();
    report('server', 'system', 'It failed', details);
    await settled();
    expect((await stored()).map((row) => row.details)).toEqual([expected]);
  });

  test('a message from an outside source is stored too, whatever it contains', async () => {
    const { report, settled } = reports();
    report('CoinGecko', 'api_failure', `CoinGecko refused: \0${'é'.repeat(10_000)}`);
    await settled();
    expect((await stored()).map((row) => row.message)).toEqual([`CoinGecko refused: ${'é'.repeat(7981)}`]);
  });
});

describe('a flood', () => {
  test('the same failure is stored once per minute and does not hold back others', async () => {
    const { report, settled } = reports();
    for (let second = 0; second < 150; second++) {
      report('OKX', 'api_failure', 'OKX answered 503');
      if (second === 30) report('OKX', 'api_failure', 'OKX answered 429');
      clock.advance(1000);
    }
    await settled();
    const rows = await stored();
    const of = (message: string) => rows.filter((row) => row.message === message).map((row) => row.timestamp);
    expect(of('OKX answered 503')).toEqual([
      '2026-11-20T12:00:00.000Z',
      '2026-11-20T12:01:00.000Z',
      '2026-11-20T12:02:00.000Z',
    ]);
    expect(of('OKX answered 429')).toHaveLength(1);
    expect([logged(40).length, logged(20).length]).toEqual([4, 147]);
  });

  test('a clock set back does not silence a failure', async () => {
    const { report, settled } = reports();
    report('OKX', 'api_failure', 'OKX answered 503');
    clock.advance(-3_600_000);
    report('OKX', 'api_failure', 'OKX answered 503');
    await settled();
    expect(await stored()).toHaveLength(2);
  });
});

describe('when the database cannot store it', () => {
  test('nothing is thrown, both failures are logged, and later ones are stored again', async () => {
    const { report, settled } = reports();
    await open.pool.query('alter table error_logs rename to away');
    expect(() => report('server', 'system', 'First')).not.toThrow();
    await settled();
    expect(logged(40).map((line) => line['msg'])).toEqual(['First']);
    expect(logged(50)).toEqual([
      expect.objectContaining({
        msg: 'failed to store an error report',
        error: expect.stringContaining('error_logs'),
      }),
    ]);
    await open.pool.query('alter table away rename to error_logs');
    report('server', 'system', 'Second');
    await settled();
    expect((await stored()).map((row) => row.message)).toEqual(['Second']);
  });

  test('nothing is thrown after the database is closed', async () => {
    const closed = openDatabase(open.connection, () => undefined);
    await closed.close();
    const log = pino({ level: 'silent' });
    const { report, settled } = createErrorReports(closed.db, log, clock.now);
    expect(() => report('server', 'system', 'Late')).not.toThrow();
    await settled();
  });
});

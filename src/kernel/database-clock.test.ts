import { beforeEach, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { type Clock, createClock } from './clock.ts';
import { followDatabaseClock, syncClock } from './database-clock.ts';
import { createLog } from './log.ts';

const HOUR_MS = 3_600_000;

const database = fileDatabase();
let clock: Clock;
let heard: string[];
const log = createLog('warn', { write: (line) => void heard.push(String(JSON.parse(line).msg)) });

beforeEach(() => {
  clock = createClock();
  heard = [];
});

const offMs = () => clock.now().getTime() - Date.now();

test.each([
  ['ahead of', HOUR_MS],
  ['behind', -HOUR_MS],
])('a clock that is %s the database is adjusted to it, and the operator is notified', async (way, by) => {
  clock.advance(by);
  await syncClock(database.connection, clock, log);
  expect(Math.abs(offMs())).toBeLessThan(500);
  expect(heard).toEqual([
    expect.stringMatching(`^The clock of this machine was 3\\d\\d\\d\\.\\d s ${way} the database`),
  ]);
});

test('leaves a matching clock unchanged', async () => {
  await syncClock(database.connection, clock, log);
  expect([offMs(), heard]).toEqual([expect.closeTo(0, -1), []]);
});

test('an unresponsive database does not delay startup', async () => {
  clock.advance(HOUR_MS);
  const stop = await followDatabaseClock({ ...database.connection, database: 'nowhere' }, clock, log);
  await stop();
  expect(offMs()).toBeGreaterThan(HOUR_MS - 1000);
});

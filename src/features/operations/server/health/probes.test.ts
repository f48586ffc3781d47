import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bringBack, takeAway } from '#tests/support/database-away.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
beforeAll(async () => {
  s = await start();
});
afterAll(() => s.stop());

const READY = '/api/health/ready';
const ask = async (path = READY, product = s.product) => {
  const answer = await product.app.inject({ url: path });
  return [answer.statusCode, answer.json()];
};
const refusal = (error: string) => [503, { error, code: 'unavailable' }];
const AWAY = 'The database does not answer.';

describe('GET /api/health/live', () => {
  test('200 at any time', async () => {
    expect(await ask('/api/health/live')).toEqual([200, { status: 'live' }]);
  });
});

describe('GET /api/health/ready', () => {
  test('503 until it listens, 200 then, 503 from the moment it is to stop', async () => {
    const web = await s.another({ ROLE: 'web' });
    expect(await ask(READY, web)).toEqual(refusal('The process is starting.'));
    await web.listen();
    expect(await ask(READY, web)).toEqual([200, { status: 'ready', role: 'web' }]);
    web.lifecycle.stopping();
    expect(await ask(READY, web)).toEqual(refusal('The process is stopping.'));
    const refused = await web.app.inject({ url: READY });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect((await web.app.inject({ url: '/api/health' })).statusCode).toBe(200);
    web.lifecycle.serving();
    expect(await ask(READY, web)).toEqual(refusal('The process is stopping.'));
  });

  test('503 while the database is away, 200 for who leaves it out, 200 again after', async () => {
    await s.product.listen();
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
    await takeAway(s.connection);
    await expect.poll(() => ask()).toEqual(refusal(AWAY));
    expect(await ask(`${READY}?except=database`)).toEqual([200, { status: 'ready', role: 'all' }]);
    expect(await ask('/api/health/live')).toEqual([200, { status: 'live' }]);
    await bringBack(s.connection);
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
  });

  test('503 within three seconds when no connection is left, however many ask, and they take one turn at the database', async () => {
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
    const { pool } = s.product;
    const held = await Promise.all(Array.from({ length: pool.options.max ?? 10 }, () => pool.connect()));
    await expect.poll(() => ask(), { timeout: 6000 }).toEqual(refusal(AWAY));
    const before = pool.waitingCount;
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect(performance.now() - begun).toBeLessThan(3000);
    for (const answer of answers) expect(answer).toEqual(refusal(AWAY));
    expect(pool.waitingCount).toBeLessThan(before + 10);
    for (const client of held) client.release();
    await expect.poll(() => ask()).toEqual([200, { status: 'ready', role: 'all' }]);
  });

  test('400 for another exception', async () => {
    expect(await ask(`${READY}?except=everything`)).toEqual([
      400,
      { error: 'except: except can only be "database"', code: 'bad_request' },
    ]);
  });
});

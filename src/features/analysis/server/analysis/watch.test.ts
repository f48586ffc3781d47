import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { collected } from '#tests/support/predictions.ts';
import { type Started, start } from '#tests/support/start.ts';

const MINUTE_MS = 60_000;

let s: Started;
beforeAll(async () => {
  s = await start({ env: { COIN_LIMIT: '20' } });
});
afterAll(() => s.stop());

const asked = async () => (await s.product.scheduler.waiting('analysis.run')).length;
const watch = () => s.job('analysis.watch');

describe('the watch over analyses', () => {
  test('follows the history of a tracked coin, and of no other', async () => {
    const watching = async () => (await s.product.scheduler.waiting('analysis.watch')).length;
    await s.job('market.listing');
    await s.job('market.backfill', { coinId: 'tether' });
    expect(await watching()).toBe(0);
    await s.job('market.backfill', { coinId: 'bitcoin' });
    expect(await watching()).toBe(1);
  });

  test('asks for the first one as soon as there is a past to stand on, not before', async () => {
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(0);
    await collected(s);
    await watch();
    expect(await asked()).toBe(1);
  });

  test('leaves it to the collection to ask for the next, and makes up for one that did not come', async () => {
    await s.job('analysis.run');
    await sql`delete from pgboss.job where name = 'analysis.run'`.execute(s.product.analysis.ctx.db);
    const { FULL_COLLECTION_CRON } = s.product.analysis.ctx.config;
    const due = s.product.scheduler.nextRun(FULL_COLLECTION_CRON, s.clock.now())?.getTime() ?? 0;
    s.advance(due - s.clock.now().getTime() + 10 * MINUTE_MS);
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(0);
    s.advance(6 * MINUTE_MS);
    await s.job('market.listing');
    await watch();
    expect(await asked()).toBe(1);
  });
});

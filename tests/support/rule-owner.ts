import { sql } from 'kysely';
import { expect, vi } from 'vitest';

import type { Product } from '#app/server/product.ts';
import { type Fence, runForLeader } from '#kernel/leader.ts';
import { createLog } from '#kernel/log.ts';

import type { TestProduct } from './start.ts';

const POLL_OPTIONS = { timeout: 20_000, interval: 10 };

/** Controls the owners of the rules in a test, and their locks. */
export function ruleOwner(s: TestProduct) {
  const db = s.product.market.ctx.db;
  let owners: { product: Product; owner: Awaited<ReturnType<Product['thresholds']['startOwner']>> }[] = [];
  const epochs = async () => {
    const rows = await db.selectFrom('alert_shards').select('epoch').orderBy('shard').execute();
    return rows.map(({ epoch }) => epoch);
  };

  return {
    epoch: async () => (await epochs())[0] ?? 0,
    /** Waits until every shard has an owner. */
    async takeOwnership(...products: Product[]): Promise<void> {
      const epochsBefore = await epochs();
      owners = await Promise.all(
        (products.length > 0 ? products : [s.product]).map(async (product) => ({
          product,
          owner: await product.thresholds.startOwner(),
        })),
      );
      const { ALERT_SHARDS: shards } = s.product.thresholds.ctx.config;
      await vi.waitFor(async () => {
        const epochsNow = await epochs();
        for (let shard = 0; shard < shards; shard++) expect(epochsNow[shard]).toBeGreaterThan(epochsBefore[shard] ?? 0);
      }, POLL_OPTIONS);
      await Promise.all(owners.map(({ owner }) => owner.settled()));
    },
    async stopAll(): Promise<void> {
      await Promise.all(owners.splice(0).map(({ owner }) => owner.stop()));
    },
    stopFirst: async (): Promise<void> => owners.shift()?.owner.stop(),
    /** Waits until everything sent to the owners has arrived. */
    async untilNotified(): Promise<void> {
      for (const { product } of owners) {
        let resolve = () => undefined as void;
        const arrived = new Promise<void>((done) => {
          resolve = done;
        });
        const { close } = await product.thresholds.ctx.listener.listen('barrier', resolve, () => undefined);
        await sql`select pg_notify('barrier', '')`.execute(db);
        await arrived;
        await close();
      }
    },
    /** Waits until it has also been evaluated and written. */
    async settled(): Promise<void> {
      await this.untilNotified();
      await Promise.all(owners.map(({ owner }) => owner.settled()));
    },
    /** Blocks writes during `work`: ticks and edits wait. */
    async withWritesBlocked(work: () => Promise<void>): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await sql`select 1 from alert_shards for update`.execute(tx);
        await work();
      });
    },
    /** Waits until at least this many statements of the product wait for a lock. */
    async untilLocked(count: number): Promise<void> {
      const waiting = sql`select from pg_stat_activity where datname = current_database()
        and application_name = 'meridian' and wait_event_type = 'Lock'`;
      await expect
        .poll(async () => (await waiting.execute(db)).rows.length, POLL_OPTIONS)
        .toBeGreaterThanOrEqual(count);
    },
  };
}

/** A leader of a lock used only by the test, whose fence holds until `overtake`. */
export async function leadTestLock(
  s: TestProduct,
  key = 4712,
): Promise<{ fence: Fence; takeOver: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<Fence>();
  const { stop } = runForLeader(s.connection, key, {
    duty: 'test',
    lead: async ({ fence }) => {
      resolve(fence);
      return async () => undefined;
    },
    error: () => undefined,
    log: createLog('silent'),
  });
  const fence = await promise;
  return {
    fence,
    /** Another process takes over, and this one has not noticed yet. */
    async takeOver() {
      const { db } = s.product.market.ctx;
      await db
        .updateTable('leaders')
        .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
        .where('key', '=', key)
        .execute();
      await stop();
    },
  };
}

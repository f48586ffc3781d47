import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';

import { owned } from './rule-prices.ts';
import type { Started } from './start.ts';

/** Who judges the rules of a test, and what can be put in the way. */
export function ruleOwner(s: Started) {
  const db = s.product.market.ctx.db;
  let owner: { stop: () => Promise<void> } | null = null;
  const epoch = async () => (await db.selectFrom('alert_shards').select('epoch').executeTakeFirst())?.epoch ?? 0;

  return {
    epoch,
    async own(): Promise<void> {
      const before = await epoch();
      owner = await s.product.thresholds.own();
      await owned(s, before + 1);
    },
    async leave(): Promise<void> {
      await owner?.stop();
      owner = null;
    },
    /** Nothing is written while `work` goes on: ticks and edits wait. */
    async whileNothingIsWritten(work: () => Promise<void>): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await sql`select 1 from alert_shards for update`.execute(tx);
        await work();
      });
    },
    settled: () => sleep(250),
  };
}

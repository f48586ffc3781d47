import { setTimeout as sleep } from 'node:timers/promises';

import { pricesTopic } from '#features/market/contract/market.ts';
import type { Started } from './start.ts';

type Quote = { price: number; change?: number };

/** A second later the streams bring these prices, as the collector publishes them. */
export async function quote(s: Started, quotes: Record<string, number | Quote>): Promise<void> {
  s.advance(1000);
  const at = s.clock.now().getTime();
  const ticks = Object.entries(quotes).map(([id, given]): [string, number, number | null, null, number, number] => {
    const { price, change = null } = typeof given === 'number' ? { price: given } : given;
    return [id, price, change, null, 0, at];
  });
  await s.product.market.ctx.live.publish(pricesTopic, { at, sources: ['Coinbase'], ticks });
}

export type StoredAlertRow = {
  id: number;
  rule_id: number | null;
  type: string;
  message: string;
  value: number | null;
  source_at: string;
};

export const alertsOf = (s: Started, userId: number): Promise<StoredAlertRow[]> =>
  s.product.market.ctx.db
    .selectFrom('alerts')
    .select(['id', 'rule_id', 'type', 'message', 'value', 'source_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

/** Waits until somebody owns the shard who was not its owner before. */
export async function owned(s: Started, epoch = 1, shard = 0): Promise<void> {
  for (;;) {
    const row = await s.product.market.ctx.db
      .selectFrom('alert_shards')
      .select('epoch')
      .where('shard', '=', shard)
      .executeTakeFirst();
    if (row && row.epoch >= epoch) break;
    await sleep(20);
  }
  // And has loaded its rules.
  await sleep(100);
}

import { pricesTopic } from '#features/market/contract/market.ts';
import type { Started } from './start.ts';

type Quote = { price: number; change?: number };

/** A second later the streams bring these prices, as the collector publishes them; ends when they have arrived. */
export async function quote(s: Started, quotes: Record<string, number | Quote>): Promise<void> {
  s.advance(1000);
  const at = s.clock.now().getTime();
  const ticks = Object.entries(quotes).map(([id, given]): [string, number, number | null, null, number, number] => {
    const { price, change = null } = typeof given === 'number' ? { price: given } : given;
    return [id, price, change, null, 0, at];
  });
  const { live } = s.product.market.ctx;
  const arrived = new Promise<void>((resolve) => {
    const off = live.on(pricesTopic, (frame) => {
      if (frame.at !== at) return;
      off();
      resolve();
    });
  });
  await live.publish(pricesTopic, { at, sources: ['Coinbase'], ticks });
  await arrived;
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

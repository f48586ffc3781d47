import { campaign, type Fence } from '#kernel/leader.ts';
import { createLog } from '#kernel/log.ts';

import type { Started } from './start.ts';

/** A leader of a lock of the test's own, whose fence stands until `overtake`. */
export async function leading(s: Started, key = 4712): Promise<{ fence: Fence; overtake: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<Fence>();
  const { stop } = campaign(s.connection, key, {
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
    /** Another process leads from then on, and this one has not heard of it. */
    async overtake() {
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

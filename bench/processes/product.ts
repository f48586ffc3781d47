import { pricesTopic } from '#features/market/contract.ts';
import type { Connection } from '#server/platform/db.ts';
import type { TopicData } from '#shared/contract.ts';

import { offer, optionsOf } from '../support/offer.ts';
import { openProduct } from '../support/product.ts';

type Ticks = TopicData<typeof pricesTopic>;

const product = await openProduct(optionsOf<{ connection: Connection; frozen: boolean }>());
const { live, board } = product.market.ctx;
let timer: ReturnType<typeof setInterval> | undefined;
let step = 0;

/** Every coin of the board moves by up to half a percent. */
function nextTicks(): Ticks {
  step++;
  const at = Date.now();
  const ticks = board.prices().map(({ id, price, change_24h, market_cap }, i): Ticks['ticks'][number] => {
    const factor = 1 + 0.005 * Math.sin(step * 1.7 + i);
    return [id, price * factor, (change_24h ?? 0) + factor - 1, Math.round((market_cap ?? 0) * factor), i % 2, at];
  });
  return { at, sources: ['OKX', 'Coinbase'], ticks };
}

offer(
  {
    listen: async () => (await product.listen()).port,
    publish: (data: Ticks) => live.publish(pricesTopic, data),
    clients: () => live.hub.clients(),
    startTicks(perSecond: number) {
      timer = setInterval(() => void live.publish(pricesTopic, nextTicks()), 1000 / perSecond);
    },
    stopTicks: () => clearInterval(timer),
  },
  async () => {
    clearInterval(timer);
    await product.stop();
  },
);

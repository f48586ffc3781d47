import type { Coin } from '#sandbox/market/coins.ts';
import type { Market } from '#sandbox/market/market.ts';
import type { Feed, FeedSession } from '#sandbox/provider.ts';

import { contractsBy, priceText } from './contracts.ts';
import { parseMessage } from './json-message.ts';
import { LiquidationTail } from './liquidation-tail.ts';

const TOPIC = 'allLiquidation.';
/** Told together, twice a second. */
const BEATS = 5;

type Request = { op: string; args: unknown[]; req_id: string };

function session(market: Market, bySymbol: ReadonlyMap<string, Coin>, send: (text: string) => void): FeedSession {
  const tail = new LiquidationTail(market, 'bybit');
  const say = (message: unknown) => send(JSON.stringify(message));
  const reply = (op: string, ret_msg: string, req_id = '', success = true) =>
    say({ success, ret_msg, conn_id: 'cejreaspqfm9se7usbrg-2xh', req_id, op });

  return {
    receive(text, now) {
      const { op, args, req_id } = parseMessage<Request>(text) ?? {};
      if (op === 'ping') return reply('ping', 'pong', req_id);
      if ((op !== 'subscribe' && op !== 'unsubscribe') || !Array.isArray(args)) {
        return reply('', 'error:unknown op', req_id, false);
      }
      const coins = args.map((topic) =>
        typeof topic === 'string' && topic.startsWith(TOPIC) ? bySymbol.get(topic.slice(TOPIC.length)) : undefined,
      );
      const wrong = args[coins.indexOf(undefined)];
      if (wrong !== undefined)
        return reply(op, `error:handler not found,topic:${JSON.stringify(wrong)}`, req_id, false);
      for (const coin of coins as Coin[]) {
        if (op === 'subscribe') tail.watch(coin, now);
        else tail.forget(coin);
      }
      reply(op, '', req_id);
    },
    push(now, beat) {
      if (beat !== 'moved' && beat % BEATS !== 0) return;
      for (const { coin, events } of tail.next(now)) {
        const symbol = `${coin.symbol.toUpperCase()}USDT`;
        // The side is that of the position: 'Buy' was a long one.
        const data = events.map(({ at, side, usd, price }) => ({
          T: at,
          s: symbol,
          S: side === 'long' ? 'Buy' : 'Sell',
          v: String(Math.max(0.001, Number((usd / price).toFixed(3)))),
          p: priceText(coin, price),
        }));
        say({ topic: `${TOPIC}${symbol}`, type: 'snapshot', ts: now, data });
      }
    },
  };
}

export function bybitFeed(market: Market, path: string): Feed {
  const bySymbol = contractsBy(market, (base) => `${base}USDT`);
  return { path, deep: true, open: (send) => session(market, bySymbol, send) };
}

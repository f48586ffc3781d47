import type { Coin } from '#sandbox/market/coins.ts';
import { contractCoins } from '#sandbox/market/derivatives.ts';
import type { Liquidation } from '#sandbox/market/liquidations.ts';
import type { Market } from '#sandbox/market/market.ts';
import type { Feed, FeedSession } from '#sandbox/provider.ts';

import { priceText } from './contracts.ts';
import { parseMessage } from './json-message.ts';
import { LiquidationTail } from './liquidation-tail.ts';

const ALL = '!forceOrder@arr';
const BEATS = 10;

const streamOf = ({ symbol }: Coin) => `${symbol}usdt@forceOrder`;

/** At most one order of a symbol is told a second: the largest. */
function forceOrder({ coin, at, side, usd, price }: Liquidation, now: number) {
  const quantity = String(Math.max(0.001, Number((usd / price).toFixed(3))));
  return {
    e: 'forceOrder',
    E: Math.floor(now),
    o: {
      s: `${coin.symbol.toUpperCase()}USDT`,
      S: side === 'long' ? 'SELL' : 'BUY',
      o: 'LIMIT',
      f: 'IOC',
      q: quantity,
      p: priceText(coin, price),
      ap: priceText(coin, price * (side === 'long' ? 1.0004 : 0.9996)),
      X: 'FILLED',
      l: quantity,
      z: quantity,
      T: at,
    },
  };
}

/** Streams that the address names: `/ws/<stream>` or `/stream?streams=<stream>/<stream>`. */
function namedIn(url: URL): string[] {
  const combined = url.searchParams.get('streams');
  if (combined !== null) return combined.split('/');
  const last = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  return last.includes('@') ? [last] : [];
}

function session(market: Market, send: (text: string) => void, url: URL): FeedSession {
  const tail = new LiquidationTail(market, 'binance');
  const isCombined = url.searchParams.has('streams') || url.pathname.endsWith('/stream');
  const wanted = new Set(namedIn(url));
  const isWatched = (coin: Coin) => wanted.has(ALL) || wanted.has(streamOf(coin));
  const watched = new Set<Coin>();

  function follow(now: number): void {
    for (const coin of contractCoins(market)) {
      if (isWatched(coin) === watched.has(coin)) continue;
      if (isWatched(coin)) {
        watched.add(coin);
        tail.watch(coin, now);
      } else {
        watched.delete(coin);
        tail.forget(coin);
      }
    }
  }

  return {
    receive(text, now) {
      const {
        method,
        params,
        id = null,
      } = parseMessage<{ method: string; params: unknown[]; id: unknown }>(text) ?? {};
      if ((method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE') || !Array.isArray(params)) {
        return send(JSON.stringify({ error: { code: 2, msg: 'Invalid request: unknown method' }, id }));
      }
      for (const stream of params.map(String)) {
        if (method === 'SUBSCRIBE') wanted.add(stream);
        else wanted.delete(stream);
      }
      follow(now);
      send(JSON.stringify({ result: null, id }));
    },
    push(now, beat) {
      if (wanted.size > 0 && watched.size === 0) follow(now);
      if (beat !== 'moved' && beat % BEATS !== 0) return;
      for (const { coin, events } of tail.next(now)) {
        const largest = events.reduce((best, event) => (event.usd > best.usd ? event : best));
        const data = forceOrder(largest, now);
        const stream = wanted.has(ALL) ? ALL : streamOf(coin);
        send(JSON.stringify(isCombined ? { stream, data } : data));
      }
    },
  };
}

export const binanceFeed = (market: Market, path: string): Feed => ({
  path,
  deep: true,
  open: (send, url) => session(market, send, url),
});

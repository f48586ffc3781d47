import { z } from 'zod';

import type { Config } from '#kernel/config.ts';

import { FUTURES_ASSETS, type FuturesAsset, figure, moment, times } from '../futures.ts';
import type { ForcedClose } from '../types.ts';

/** One venue's stream of liquidations. */
export type CloseStream = {
  source: string;
  url: (config: Config) => string;
  /** Sent once the socket is open. */
  subscribe: unknown[];
  /** Heartbeat: the response shows that the venue is still connected. */
  ping: string;
  /** The liquidations in a message; empty for other messages. Throws the venue's error message. */
  parse: (message: unknown, sizes: ContractSizes) => ForcedClose[];
};

/** Coins per contract, by asset. */
export type ContractSizes = ReadonlyMap<FuturesAsset, number>;

const toForcedClose = (
  asset: FuturesAsset | undefined,
  side: ForcedClose['side'] | null,
  at: Date | null,
  usd: number | null,
  key: string,
): ForcedClose[] => (asset && side && at && usd !== null && usd > 0 ? [{ side, at, usd, key }] : []);

const bySymbol = new Map(FUTURES_ASSETS.map((asset) => [`${asset.toUpperCase()}USDT`, asset]));
const byFamily = new Map(FUTURES_ASSETS.map((asset) => [`${asset.toUpperCase()}-USDT-SWAP`, asset]));

const okxOrder = z.object({
  posSide: z.string().optional(),
  side: z.string().optional(),
  sz: figure,
  bkPx: figure,
  ts: moment,
});
export const okxOrders = z.object({
  data: z.array(z.object({ instId: z.string(), details: z.array(okxOrder) })),
});
const okxEvent = z.object({ event: z.string(), msg: z.string().optional() });

function okxSide({ posSide, side }: z.output<typeof okxOrder>): ForcedClose['side'] | null {
  if (posSide === 'long' || posSide === 'short') return posSide;
  if (side === 'sell') return 'long';
  return side === 'buy' ? 'short' : null;
}

/** OKX reports sizes in contracts. Websocket and REST share the row format. */
export function okxCloses({ data }: z.output<typeof okxOrders>, sizes: ContractSizes): ForcedClose[] {
  return data.flatMap(({ instId, details }) => {
    const asset = byFamily.get(instId);
    return details.flatMap((row) => {
      const usd = times(row.sz, (asset && sizes.get(asset)) ?? null, row.bkPx);
      const key = `${instId} ${row.ts?.getTime()} ${okxSide(row)} ${row.sz} ${row.bkPx}`;
      return toForcedClose(asset, okxSide(row), row.ts, usd, key);
    });
  });
}

/** Channel liquidation-orders of all swaps. */
export const okxStream: CloseStream = {
  source: 'okx',
  url: ({ OKX_WS_URL }) => `${OKX_WS_URL}/public`,
  subscribe: [{ op: 'subscribe', args: [{ channel: 'liquidation-orders', instType: 'SWAP' }] }],
  ping: 'ping',
  parse(message, sizes) {
    const event = okxEvent.safeParse(message);
    if (event.data?.event === 'error') throw new Error(event.data.msg ?? 'subscription rejected');
    const parsed = okxOrders.safeParse(message);
    return parsed.success ? okxCloses(parsed.data, sizes) : [];
  },
};

const bybitCloses = z.object({
  topic: z.string().startsWith('allLiquidation.'),
  data: z.array(z.object({ T: moment, s: z.string(), S: z.string(), v: figure, p: figure })),
});
const bybitAnswer = z.object({ success: z.literal(false), ret_msg: z.string() });
const BYBIT_SIDES = { Buy: 'long', Sell: 'short' } as const;

/** Topics allLiquidation.<symbol>: every liquidation, with the side of the position and the size in coins. */
export const bybitStream: CloseStream = {
  source: 'bybit',
  url: ({ BYBIT_WS_URL }) => `${BYBIT_WS_URL}/v5/public/linear`,
  subscribe: [{ op: 'subscribe', args: [...bySymbol.keys()].map((symbol) => `allLiquidation.${symbol}`) }],
  ping: JSON.stringify({ op: 'ping' }),
  parse(message) {
    const refused = bybitAnswer.safeParse(message);
    if (refused.success) throw new Error(refused.data.ret_msg);
    const parsed = bybitCloses.safeParse(message);
    if (!parsed.success) return [];
    return parsed.data.data.flatMap(({ T: at, s, S, v, p }) => {
      const side = S === 'Buy' || S === 'Sell' ? BYBIT_SIDES[S] : null;
      return toForcedClose(bySymbol.get(s), side, at, times(v, p), `${s} ${at?.getTime()} ${S} ${v} ${p}`);
    });
  },
};

const forceOrder = z.object({
  e: z.literal('forceOrder'),
  o: z.object({ s: z.string(), S: z.string(), z: figure, q: figure, ap: figure, p: figure, T: moment }),
});
const combined = z.object({ stream: z.string(), data: z.unknown() });
const orPositive = (first: number | null, second: number | null) => (first !== null && first > 0 ? first : second);

/**
 * !forceOrder@arr, on the market stream route: other routes accept the subscription and stay silent. At most one order
 * per symbol and second.
 */
export const binanceStream: CloseStream = {
  source: 'binance-futures',
  url: ({ BINANCE_FUTURES_WS_URL }) => `${BINANCE_FUTURES_WS_URL}/market/ws/!forceOrder@arr`,
  subscribe: [],
  ping: JSON.stringify({ method: 'LIST_SUBSCRIPTIONS', id: 1 }),
  parse(message) {
    const inner = combined.safeParse(message);
    const payload = inner.success ? inner.data.data : message;
    return (Array.isArray(payload) ? payload : [payload]).flatMap((each) => {
      const parsed = forceOrder.safeParse(each);
      if (!parsed.success) return [];
      const { s, S, z: filled, q, ap, p, T } = parsed.data.o;
      // An order to sell closes a long position.
      const side = S === 'SELL' ? 'long' : S === 'BUY' ? 'short' : null;
      const usd = times(orPositive(filled, q), orPositive(ap, p));
      return toForcedClose(bySymbol.get(s), side, T, usd, `${s} ${T?.getTime()} ${S} ${filled} ${ap}`);
    });
  },
};

export const CLOSE_STREAMS: CloseStream[] = [okxStream, bybitStream, binanceStream];

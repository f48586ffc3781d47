import { contractCoins } from '#sandbox/market/derivatives.ts';
import { DAY, floorTo, HOUR } from '#sandbox/market/time.ts';
import type { FeedSession } from '#sandbox/provider.ts';

import { parseMessage } from './json-message.ts';
import { LiquidationTail } from './liquidation-tail.ts';
import { liquidationDetail, liquidationHead } from './okx-swap.ts';
import { type Listing, trades, type Venue } from './venue.ts';

/** Where days begin by the exchange's own clock, UTC+8. */
export const HONG_KONG = 16 * HOUR;
const LIQUIDATIONS = { channel: 'liquidation-orders', instType: 'SWAP' } as const;

export function ticker(venue: Venue, listing: Listing, now: number) {
  const { last, bid, ask, open, high, low, baseVolume, quoteVolume } = venue.ticker(listing, now);
  return {
    instType: 'SPOT',
    instId: listing.id,
    last,
    lastSz: '0.01',
    askPx: ask,
    askSz: '1.5',
    bidPx: bid,
    bidSz: '1.5',
    open24h: open,
    high24h: high,
    low24h: low,
    volCcy24h: quoteVolume,
    vol24h: baseVolume,
    ts: String(now),
    sodUtc0: venue.last(listing, floorTo(now, DAY)),
    sodUtc8: venue.last(listing, floorTo(now, DAY, HONG_KONG)),
  };
}

type Arg = { channel?: string; instId?: string; instType?: string };
type Request = { op: string; args: Arg[] };

export function okxSession(venue: Venue, send: (text: string) => void): FeedSession {
  const sent = new Map<string, string>();
  const tail = new LiquidationTail(venue.market, 'okx');
  const say = (message: unknown) => send(JSON.stringify(message));

  function tell(listing: Listing, now: number): void {
    const data = ticker(venue, listing, now);
    if (sent.get(listing.id) === data.last) return;
    sent.set(listing.id, data.last);
    say({ arg: { channel: 'tickers', instId: listing.id }, data: [data] });
  }

  function followTicker(op: string, instId: string, now: number): boolean {
    const listing = venue.listings.get(instId);
    if (!listing) return false;
    sent.delete(listing.id);
    say({ event: op, arg: { channel: 'tickers', instId }, connId: 'a4d3ae55' });
    if (op === 'subscribe') tell(listing, now);
    return true;
  }

  function followLiquidations(op: string, instType: string | undefined, now: number): boolean {
    if (instType !== LIQUIDATIONS.instType) return false;
    for (const coin of contractCoins(venue.market)) {
      if (op === 'subscribe') tail.watch(coin, now);
      else tail.forget(coin);
    }
    say({ event: op, arg: LIQUIDATIONS, connId: 'a4d3ae55' });
    return true;
  }

  return {
    receive(text, now) {
      if (text === 'ping') return send('pong');
      const { op, args } = parseMessage<Request>(text) ?? {};
      if ((op !== 'subscribe' && op !== 'unsubscribe') || !Array.isArray(args)) {
        return say({ event: 'error', code: '60012', msg: `Illegal request: ${text}`, connId: 'a4d3ae55' });
      }
      for (const { channel, instId = '', instType } of args) {
        const isKnown =
          (channel === 'tickers' && followTicker(op, instId, now)) ||
          (channel === LIQUIDATIONS.channel && followLiquidations(op, instType, now));
        if (isKnown) continue;
        const msg = `Wrong URL or channel:${channel},instId:${instId} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`;
        say({ event: 'error', code: '60018', msg, connId: 'a4d3ae55' });
      }
    },
    push(now, beat) {
      for (const id of sent.keys()) {
        const listing = venue.listings.get(id) as Listing;
        if (trades(listing.coin, beat)) tell(listing, now);
      }
      for (const { coin, events } of tail.next(now)) {
        const details = events.map((event) => liquidationDetail(event));
        say({ arg: LIQUIDATIONS, data: [{ details, ...liquidationHead(coin) }] });
      }
    },
  };
}

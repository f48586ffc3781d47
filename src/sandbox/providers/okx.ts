import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR, MARKET_START, MINUTE } from '#sandbox/market/time.ts';
import type { Call, FeedSession, Provider } from '#sandbox/provider.ts';
import { contractCoins } from '../market/derivatives.ts';
import { parseMessage } from './json-rpc.ts';
import { LiquidationTail } from './liquidation-tail.ts';
import {
  instType,
  liquidationDetail,
  liquidationHead,
  ok,
  refuse,
  swapInstruments,
  swapNulls,
  swapRoutes,
  swapTickers,
} from './okx-swap.ts';
import { isTradeDue, type Listing, Venue } from './venue.ts';

/** Days start by the exchange's local time, UTC+8. */
const HONG_KONG = 16 * HOUR;
const LIQUIDATIONS = { channel: 'liquidation-orders', instType: 'SWAP' } as const;

function ticker(venue: Venue, listing: Listing, now: number) {
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

function okxSession(venue: Venue, send: (text: string) => void): FeedSession {
  const sent = new Map<string, string>();
  const tail = new LiquidationTail(venue.market, 'okx');
  const sendJson = (message: unknown) => send(JSON.stringify(message));

  function sendTicker(listing: Listing, now: number): void {
    const data = ticker(venue, listing, now);
    if (sent.get(listing.id) === data.last) return;
    sent.set(listing.id, data.last);
    sendJson({ arg: { channel: 'tickers', instId: listing.id }, data: [data] });
  }

  function followTicker(op: string, instId: string, now: number): boolean {
    const listing = venue.listings.get(instId);
    if (!listing) return false;
    sent.delete(listing.id);
    sendJson({ event: op, arg: { channel: 'tickers', instId }, connId: 'a4d3ae55' });
    if (op === 'subscribe') sendTicker(listing, now);
    return true;
  }

  function followLiquidations(op: string, instType: string | undefined, now: number): boolean {
    if (instType !== LIQUIDATIONS.instType) return false;
    for (const coin of contractCoins(venue.market)) {
      if (op === 'subscribe') tail.watch(coin, now);
      else tail.forget(coin);
    }
    sendJson({ event: op, arg: LIQUIDATIONS, connId: 'a4d3ae55' });
    return true;
  }

  return {
    receive(text, now) {
      if (text === 'ping') return send('pong');
      const { op, args } = parseMessage<Request>(text) ?? {};
      if ((op !== 'subscribe' && op !== 'unsubscribe') || !Array.isArray(args)) {
        return sendJson({ event: 'error', code: '60012', msg: `Illegal request: ${text}`, connId: 'a4d3ae55' });
      }
      for (const { channel, instId = '', instType } of args) {
        const isKnown =
          (channel === 'tickers' && followTicker(op, instId, now)) ||
          (channel === LIQUIDATIONS.channel && followLiquidations(op, instType, now));
        if (isKnown) continue;
        const msg = `Wrong URL or channel:${channel},instId:${instId} doesn't exist. Please use the correct URL, channel and parameters referring to API document.`;
        sendJson({ event: 'error', code: '60018', msg, connId: 'a4d3ae55' });
      }
    },
    push(now, tick) {
      for (const id of sent.keys()) {
        const listing = venue.listings.get(id) as Listing;
        if (isTradeDue(listing.coin, tick)) sendTicker(listing, now);
      }
      for (const { coin, events } of tail.next(now)) {
        const details = events.map((event) => liquidationDetail(event));
        sendJson({ arg: LIQUIDATIONS, data: [{ details, ...liquidationHead(coin) }] });
      }
    },
  };
}

const LISTED = 220;
const BARS: Readonly<Record<string, { stepMs: number; offsetMs?: number }>> = {
  '1m': { stepMs: MINUTE },
  '5m': { stepMs: 5 * MINUTE },
  '15m': { stepMs: 15 * MINUTE },
  '30m': { stepMs: 30 * MINUTE },
  '1H': { stepMs: HOUR },
  '4H': { stepMs: 4 * HOUR },
  '1D': { stepMs: DAY, offsetMs: HONG_KONG },
  '1Dutc': { stepMs: DAY },
};
/** The candles endpoint has only this many bars, history-candles has all of them. */
const RECENT_BARS = 1440;

function venueOf(market: Market): Venue {
  const coins = market.coins.filter((coin) => coin.id !== 'tether' && coin.trackedCoinId === null).slice(0, LISTED);
  return new Venue(market, { coins, quote: 'USDT', salt: 0x6f6b, share: 0.07 });
}

function instrument({ id, base, digits }: Listing) {
  return {
    alias: '',
    baseCcy: base,
    category: '1',
    ctMult: '',
    ctType: '',
    ctVal: '',
    ctValCcy: '',
    expTime: '',
    instFamily: '',
    instId: id,
    instType: 'SPOT',
    lever: '',
    listTime: String(MARKET_START),
    lotSz: '0.00000001',
    maxIcebergSz: '9999999999',
    maxLmtAmt: '20000000',
    maxLmtSz: '9999999999',
    maxMktAmt: '1000000',
    maxMktSz: '1000000',
    maxStopSz: '1000000',
    maxTriggerSz: '9999999999',
    maxTwapSz: '9999999999',
    minSz: '0.00001',
    optType: '',
    quoteCcy: 'USDT',
    ruleType: 'normal',
    settleCcy: '',
    state: 'live',
    stk: '',
    tickSz: (10 ** -digits).toFixed(digits),
    uly: '',
  };
}

function listingOf(venue: Venue, { query }: Call): Listing {
  const id = query.get('instId');
  if (!id) throw refuse('50014', 'Parameter instId can not be empty', 400);
  const listing = venue.listings.get(id);
  if (!listing) throw refuse('51001', "Instrument ID or Spread ID doesn't exist.");
  return listing;
}

/** `after` and `before` select candles older and newer than a time, both exclusive. */
function candles(venue: Venue, call: Call, most: number, reach: number) {
  const { query, now } = call;
  const listing = listingOf(venue, call);
  const bar = BARS[query.get('bar') ?? '1m'];
  if (!bar) throw refuse('51000', 'Parameter bar error', 400);
  const time = (name: string, fallback: number) => (query.get(name) ? Number(query.get(name)) : fallback);
  const limit = Math.min(Number(query.get('limit')) || 100, most);
  const oldest = Math.max(MARKET_START, floorTo(now, bar.stepMs, bar.offsetMs) - (reach - 1) * bar.stepMs);
  const above = Math.max(time('before', 0), oldest - 1);
  const rows = venue.candles(listing, { ...bar, above, latest: time('after', now + 1) - 1, limit, now });
  return ok(
    rows.map((row) => {
      const { at, open, high, low, close, base, quote } = row;
      const confirm = at + bar.stepMs <= now ? '1' : '0';
      return [String(at), open, high, low, close, base, quote, quote, confirm];
    }),
  );
}

const UNTRADED = Object.fromEntries(
  ['last', 'lastSz', 'askPx', 'askSz', 'bidPx', 'bidSz', 'open24h', 'high24h', 'low24h'].map((field) => [field, '']),
);

/** Instruments without a trade today have empty strings. */
function withNulls(body: unknown): unknown {
  const { data, ...rest } = body as { data: Record<string, unknown>[] };
  const emptied = data.map((row, i) => (i % 10 === 9 ? Object.assign({}, row, UNTRADED) : row));
  return { ...rest, data: emptied };
}

/** Other instrument types exist, but have no trades here. */
const spot = (call: Call, rows: (now: number) => unknown[]) => ok(instType(call) === 'SPOT' ? rows(call.now) : []);

export function okx(market: Market): Provider {
  const venue = venueOf(market);
  const all = [...venue.listings.values()];
  return {
    id: 'okx',
    base: '/okx',
    env: { OKX_BASE_URL: { scheme: 'http', path: '/okx' }, OKX_WS_URL: { scheme: 'ws', path: '/okx/ws/v5' } },
    routes: [
      {
        path: '/api/v5/public/instruments',
        handle: (call) =>
          instType(call) === 'SWAP' ? ok(swapInstruments(market)) : spot(call, () => all.map(instrument)),
      },
      ...swapRoutes(market),
      { path: '/api/v5/public/time', handle: ({ now }) => ok([{ ts: String(now) }]) },
      {
        path: '/api/v5/market/tickers',
        handle: (call) =>
          instType(call) === 'SWAP'
            ? ok(swapTickers(market, call.now))
            : spot(call, (now) => all.map((listing) => ticker(venue, listing, now))),
      },
      { path: '/api/v5/market/ticker', handle: (call) => ok([ticker(venue, listingOf(venue, call), call.now)]) },
      { path: '/api/v5/market/candles', handle: (call) => candles(venue, call, 300, RECENT_BARS) },
      { path: '/api/v5/market/history-candles', handle: (call) => candles(venue, call, 300, Number.POSITIVE_INFINITY) },
    ],
    feed: { path: '/okx/ws/v5/public', open: (send) => okxSession(venue, send) },
    notFound: { status: 404, body: { msg: 'Not Found', code: '404', data: [] } },
    rateLimited: { code: '50011', msg: 'Too Many Requests', data: [] },
    serverError: { code: '50001', msg: 'Service temporarily unavailable. Please try again later.', data: [] },
    withNulls: (path, body) => (path.startsWith('/api/v5/market/ticker') ? withNulls(body) : swapNulls(body)),
  };
}

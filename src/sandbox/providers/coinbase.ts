import type { Market } from '#sandbox/market/market.ts';
import { fraction } from '#sandbox/market/random.ts';
import { DAY, floorTo, HOUR, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, type Reply, ReplyError } from '#sandbox/provider.ts';

import { coinbaseFeed, isoMicros, tradeId } from './coinbase-feed.ts';
import { type Listing, Venue } from './venue.ts';

const LISTED = 120;
const SALT = 0x6362;
/** Allowed candle lengths, in seconds. */
const GRANULARITIES = new Set([60, 300, 900, 3600, 21_600, 86_400]);
const MAX_CANDLES = 300;

const refuse = (status: number, message: string) => new ReplyError({ status, body: { message } });

function venueOf(market: Market): Venue {
  const listable = market.coins.filter(
    ({ sector, trackedCoinId }) =>
      trackedCoinId === null && sector !== 'exchange-based-tokens' && sector !== 'stablecoins',
  );
  const chosen = listable.filter(({ index }) => index < 40 || fraction(SALT, index) < 0.72);
  return new Venue(market, { coins: chosen.slice(0, LISTED), quote: 'USD', salt: SALT, share: 0.05 });
}

function product({ id, base, digits }: Listing) {
  return {
    id,
    base_currency: base,
    quote_currency: 'USD',
    quote_increment: (10 ** -digits).toFixed(digits),
    base_increment: '0.00000001',
    display_name: `${base}-USD`,
    min_market_funds: '1',
    margin_enabled: false,
    post_only: false,
    limit_only: false,
    cancel_only: false,
    status: 'online',
    status_message: '',
    trading_disabled: false,
    fx_stablecoin: false,
    max_slippage_percentage: '0.03000000',
    auction_mode: false,
    high_bid_limit_percentage: '',
  };
}

function currency(id: string, name: string, type: 'crypto' | 'fiat', order: number) {
  return {
    id,
    name,
    min_size: type === 'fiat' ? '0.01' : '0.00000001',
    status: 'online',
    message: '',
    max_precision: type === 'fiat' ? '0.01' : '0.00000001',
    convertible_to: [],
    details: {
      type,
      symbol: type === 'fiat' ? '$' : null,
      network_confirmations: type === 'fiat' ? null : 12,
      sort_order: order,
      crypto_address_link: null,
      crypto_transaction_link: null,
      push_payment_methods: [],
      group_types: [],
      display_name: null,
      processing_time_seconds: null,
      min_withdrawal_amount: null,
      max_withdrawal_amount: null,
    },
    default_network: '',
    supported_networks: [],
    display_name: name,
  };
}

function listingOf(venue: Venue, { params }: Call): Listing {
  const listing = venue.listings.get(params['id'] ?? '');
  if (!listing) throw refuse(404, 'NotFound');
  return listing;
}

function ticker(venue: Venue, call: Call): Reply {
  const listing = listingOf(venue, call);
  const { last, bid, ask, baseVolume } = venue.ticker(listing, call.now);
  const time = isoMicros(call.now);
  return {
    body: {
      ask,
      bid,
      volume: baseVolume,
      trade_id: tradeId(listing, call.now),
      price: last,
      size: '0.01',
      time,
      rfq_volume: '0',
    },
  };
}

function stats(venue: Venue, call: Call): Reply {
  const listing = listingOf(venue, call);
  const { last, open, high, low, baseVolume } = venue.ticker(listing, call.now);
  const month = venue.volume30d(listing, call.now);
  return { body: { open, high, low, last, volume: baseVolume, volume_30day: month } };
}

function timeOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(ms)) throw refuse(400, `Invalid ${name}`);
  return ms;
}

/** [second, low, high, open, close, volume in coins], newest first. */
function candles(venue: Venue, call: Call): Reply {
  const { query, now } = call;
  const listing = listingOf(venue, call);
  const granularity = Number(query.get('granularity') ?? 60);
  if (!GRANULARITIES.has(granularity)) throw refuse(400, 'Unsupported granularity');
  const stepMs = granularity * 1000;
  const latest = timeOf(query, 'end') ?? now;
  const start = timeOf(query, 'start') ?? floorTo(latest, stepMs) - (MAX_CANDLES - 1) * stepMs;
  if ((latest - start) / stepMs > MAX_CANDLES) {
    throw refuse(
      400,
      'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
    );
  }
  const above = Math.max(start, MARKET_START) - 1;
  const rows = venue.candles(listing, { stepMs, above, latest, limit: MAX_CANDLES, now });
  return {
    body: rows.map((row) => [row.at / 1000, row.low, row.high, row.open, row.close, row.base].map(Number)),
  };
}

/** Hourly candles of the last day for every product, as drawn on the exchange's list page. */
function sparkLines(venue: Venue, now: number) {
  const recent = { stepMs: HOUR, above: now - DAY, latest: now, limit: 24, now };
  return Object.fromEntries(
    [...venue.listings.values()].map((listing) => [
      listing.id,
      venue
        .candles(listing, recent)
        .map(({ at, open, high, low, close }) => [at / 1000, Number(low), Number(high), Number(open), Number(close)]),
    ]),
  );
}

export function coinbase(market: Market): Provider {
  const venue = venueOf(market);
  const all = [...venue.listings.values()];
  return {
    id: 'coinbase',
    base: '/coinbase',
    env: {
      COINBASE_BASE_URL: { scheme: 'http', path: '/coinbase' },
      COINBASE_WS_URL: { scheme: 'ws', path: '/coinbase/ws' },
    },
    routes: [
      { path: '/products', handle: () => ({ body: all.map(product) }) },
      { path: '/products/spark-lines', handle: ({ now }) => ({ body: sparkLines(venue, now) }) },
      { path: '/products/:id', handle: (call) => ({ body: product(listingOf(venue, call)) }) },
      { path: '/products/:id/ticker', handle: (call) => ticker(venue, call) },
      { path: '/products/:id/stats', handle: (call) => stats(venue, call) },
      { path: '/products/:id/candles', handle: (call) => candles(venue, call) },
      {
        path: '/currencies',
        handle: () => ({
          body: [
            currency('USD', 'United States Dollar', 'fiat', 0),
            ...all.map(({ base, coin }, i) => currency(base, coin.name, 'crypto', i + 1)),
          ],
        }),
      },
      { path: '/time', handle: ({ now }) => ({ body: { iso: new Date(now).toISOString(), epoch: now / 1000 } }) },
    ],
    feed: coinbaseFeed(venue, '/coinbase/ws'),
    notFound: { status: 404, body: { message: 'NotFound' } },
    rateLimited: { message: 'Public rate limit exceeded' },
    serverError: { message: 'Internal server error' },
  };
}

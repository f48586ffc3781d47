import type { Feed, FeedSession, Tick } from '#sandbox/provider.ts';

import { isDue, isTradeDue, type Listing, type Venue } from './venue.ts';

const CHANNELS = ['ticker', 'ticker_batch', 'heartbeat'] as const;
type Channel = (typeof CHANNELS)[number];

/** Seconds between two messages of a product; tickers are sent with its trades. */
const SECONDS: Record<Channel, number | null> = { ticker: null, ticker_batch: 5, heartbeat: 1 };

export const isoMicros = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Increases with time, as trades do. */
export const tradeId = ({ coin }: Listing, now: number): number => Math.floor(now / 1000) - 1_500_000_000 + coin.index;

function tickerMessage(venue: Venue, listing: Listing, now: number) {
  const { last, bid, ask, open, high, low, baseVolume } = venue.ticker(listing, now);
  return {
    type: 'ticker',
    sequence: Math.floor(now),
    product_id: listing.id,
    price: last,
    open_24h: open,
    volume_24h: baseVolume,
    low_24h: low,
    high_24h: high,
    volume_30d: venue.volume30d(listing, now),
    best_bid: bid,
    best_bid_size: '0.25000000',
    best_ask: ask,
    best_ask_size: '0.25000000',
    side: Number(last) >= Number(open) ? 'buy' : 'sell',
    time: isoMicros(now),
    trade_id: tradeId(listing, now),
    last_size: '0.01000000',
  };
}

type Wish = string | { name?: string; product_ids?: string[] };
type Request = { type?: string; product_ids?: string[]; channels?: Wish[] };

function parse(text: string): Request | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const isChannel = (name: string): name is Channel => CHANNELS.some((channel) => channel === name);

class Subscriber implements FeedSession {
  readonly #venue: Venue;
  readonly #send: (text: string) => void;
  readonly #wanted: Record<Channel, Set<string>> = { ticker: new Set(), ticker_batch: new Set(), heartbeat: new Set() };
  readonly #sent: Record<Channel, Map<string, string>> = {
    ticker: new Map(),
    ticker_batch: new Map(),
    heartbeat: new Map(),
  };

  constructor(venue: Venue, send: (text: string) => void) {
    this.#venue = venue;
    this.#send = send;
  }

  receive(text: string, now: number): void {
    const { type, product_ids = [], channels = [] } = parse(text) ?? {};
    if (type !== 'subscribe' && type !== 'unsubscribe') return this.#refuse('Malformed JSON');
    const wishes = channels.map((wish) => (typeof wish === 'string' ? { name: wish } : wish));
    const pairs: [Channel, Listing][] = [];
    for (const { name = '', product_ids: own = product_ids } of wishes) {
      if (!isChannel(name)) return this.#refuse(`${name} is not a valid channel`);
      for (const id of own) {
        const listing = this.#venue.listings.get(id);
        if (!listing) return this.#refuse(`${id} is not a valid product`);
        pairs.push([name, listing]);
      }
    }
    for (const [channel, { id }] of pairs) {
      this.#sent[channel].delete(id);
      if (type === 'subscribe') this.#wanted[channel].add(id);
      else this.#wanted[channel].delete(id);
    }
    this.#say({
      type: 'subscriptions',
      channels: CHANNELS.filter((name) => this.#wanted[name].size > 0).map((name) => ({
        name,
        product_ids: [...this.#wanted[name]],
        account_ids: null,
      })),
    });
    if (type === 'subscribe') for (const [channel, listing] of pairs) this.#tell(channel, listing, now);
  }

  push(now: number, tick: Tick): void {
    for (const channel of CHANNELS) {
      for (const id of this.#wanted[channel]) {
        const listing = this.#venue.listings.get(id) as Listing;
        const { coin } = listing;
        const due = SECONDS[channel] === null ? isTradeDue(coin, tick) : isDue(coin, tick, SECONDS[channel]);
        if (due) this.#tell(channel, listing, now);
      }
    }
  }

  #tell(channel: Channel, listing: Listing, now: number): void {
    if (channel === 'heartbeat') return this.#beat(listing, now);
    const message = tickerMessage(this.#venue, listing, now);
    if (this.#sent[channel].get(listing.id) === message.price) return;
    this.#sent[channel].set(listing.id, message.price);
    this.#say(message);
  }

  #beat(listing: Listing, now: number): void {
    const [sequence, last_trade_id, time] = [Math.floor(now), tradeId(listing, now), isoMicros(now)];
    this.#say({ type: 'heartbeat', last_trade_id, product_id: listing.id, sequence, time });
  }

  #refuse(reason: string): void {
    this.#say({ type: 'error', message: 'Failed to subscribe', reason });
  }

  #say(message: unknown): void {
    this.#send(JSON.stringify(message));
  }
}

export const coinbaseFeed = (venue: Venue, path: string): Feed => ({
  path,
  open: (send) => new Subscriber(venue, send),
});

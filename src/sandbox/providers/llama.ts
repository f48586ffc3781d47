import { EXCHANGES, type Exchange, flowsOf } from '#sandbox/market/flows.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, floorTo, HOUR, LruCache, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

type Row = { date: number; tokens: Record<string, number> };

const NAMES: Readonly<Record<Exchange, string>> = {
  binance: 'Binance CEX',
  okx: 'OKX',
  bitfinex: 'Bitfinex',
  kraken: 'Kraken',
  bybit: 'Bybit',
};
/** OKX is also listed under its old name. */
const SLUGS: ReadonlyMap<string, Exchange> = new Map<string, Exchange>([
  ...EXCHANGES.map((name) => [`${name}-cex`, name] as const),
  ...EXCHANGES.filter((name) => name !== 'binance').map((name) => [name, name] as const),
  ['okex', 'okx'],
]);
/** Stablecoin dollars held per dollar of bitcoin. */
const [USDT_PART, USDC_PART] = [0.42, 0.05];

class Reserves {
  readonly #market: Market;
  readonly #days = new Map<Exchange, Row[]>();
  readonly #bodies = new LruCache<unknown>(2);

  constructor(market: Market) {
    this.#market = market;
  }

  body(exchange: Exchange, slug: string, now: number): unknown {
    const hour = floorTo(now, HOUR);
    return this.#bodies.get((hour / HOUR) * 64 + [...SLUGS.keys()].indexOf(slug), () =>
      this.#build(exchange, slug, hour),
    );
  }

  #build(exchange: Exchange, slug: string, now: number) {
    const tokens = [...this.#past(exchange, now), this.#row(exchange, now)];
    const tokensInUsd = tokens.map((row) => this.#inUsd(row));
    const tvl = tokensInUsd.map(({ date, tokens: held }) => ({ date, totalLiquidityUSD: sum(held) }));
    const name = NAMES[exchange];
    return {
      id: String(2269 + EXCHANGES.indexOf(exchange)),
      name,
      address: null,
      symbol: '-',
      url: `https://www.${exchange}.com`,
      description: `${name} is a cryptocurrency exchange.`,
      chain: 'Multi-Chain',
      logo: `https://icons.llama.fi/${slug}.png`,
      audits: '0',
      gecko_id: null,
      cmcId: null,
      category: 'CEX',
      chains: ['Bitcoin', 'Ethereum'],
      module: `${slug}/index.js`,
      twitter: exchange,
      currentChainTvls: { Bitcoin: tokensInUsd.at(-1)?.tokens['BTC'] ?? 0 },
      chainTvls: {},
      tvl,
      tokensInUsd,
      tokens,
      raises: [],
      metrics: {},
      mcap: null,
    };
  }

  #past(exchange: Exchange, now: number): Row[] {
    const rows = this.#days.get(exchange) ?? [];
    this.#days.set(exchange, rows);
    const count = Math.ceil((now - MARKET_START) / DAY);
    for (let i = rows.length; i < count; i++) rows.push(this.#row(exchange, MARKET_START + i * DAY));
    return rows.slice(0, Math.max(0, count));
  }

  #row(exchange: Exchange, ms: number): Row {
    const flows = flowsOf(this.#market);
    const [btc, eth] = [flows.reserveAt(exchange, 'bitcoin', ms), flows.reserveAt(exchange, 'ethereum', ms)];
    const dollars = btc * this.#market.priceAt('bitcoin', ms);
    return {
      date: ms / 1000,
      tokens: { BTC: btc, ETH: eth, USDT: dollars * USDT_PART, USDC: dollars * USDC_PART },
    };
  }

  #inUsd({ date, tokens: { BTC = 0, ETH = 0, ...dollars } }: Row): Row {
    const priceOf = (coin: string) => this.#market.priceAt(coin, date * 1000);
    return { date, tokens: { BTC: BTC * priceOf('bitcoin'), ETH: ETH * priceOf('ethereum'), ...dollars } };
  }
}

const sum = (tokens: Record<string, number>) => Object.values(tokens).reduce((total, value) => total + value, 0);

function protocol(reserves: Reserves, { params, now }: Call): unknown {
  const slug = params['slug'] ?? '';
  const exchange = SLUGS.get(slug);
  if (!exchange) throw new ReplyError({ status: 400, body: { message: 'Protocol not found' } });
  return reserves.body(exchange, slug, now);
}

export function llama(market: Market): Provider {
  const reserves = new Reserves(market);
  return {
    id: 'llama',
    base: '/llama',
    env: { LLAMA_BASE_URL: { scheme: 'http', path: '/llama' } },
    routes: [{ path: '/protocol/:slug', handle: (call) => ({ body: protocol(reserves, call) }) }],
    notFound: { status: 404, body: { message: 'Not Found' } },
    rateLimited: { message: 'Too Many Requests' },
    serverError: { message: 'Internal Server Error' },
    withNulls: (_path, body) => ({ ...(body as object), tokens: null, tokensInUsd: null }),
  };
}

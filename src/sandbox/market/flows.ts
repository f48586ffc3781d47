import type { Market } from './market.ts';
import { normalAt, perMarket, signalsOf, wave } from './signals.ts';
import { DAY, item, LruCache, MARKET_START, PARAMETERS } from './time.ts';

export type FlowAsset = 'bitcoin' | 'ethereum';

export const EXCHANGES = ['binance', 'okx', 'bitfinex', 'kraken', 'bybit'] as const;
export type Exchange = (typeof EXCHANGES)[number];

/** Coins held when the market began. */
const RESERVES: Readonly<Record<Exchange, Record<FlowAsset, number>>> = {
  binance: { bitcoin: 612_000, ethereum: 4_310_000 },
  okx: { bitcoin: 128_000, ethereum: 1_420_000 },
  bitfinex: { bitcoin: 342_000, ethereum: 1_080_000 },
  kraken: { bitcoin: 151_000, ethereum: 1_690_000 },
  bybit: { bitcoin: 61_000, ethereum: 520_000 },
};

const FIRST_DAY = MARKET_START / DAY;
const [NOISE, GROSS] = [0x666c, 0x6772];

/** Coins held by exchanges, day by day from the first: the inflow of a day depends on the days before. */
class Flows {
  readonly #market: Market;
  readonly #reserves = new Map<string, number[]>();
  readonly #gross = new LruCache<{ inflow: number; outflow: number }>(12_000);

  constructor(market: Market) {
    this.#market = market;
  }

  /** Coins held at a given time; a day's flow is spread evenly over it. */
  reserveAt(exchange: Exchange, asset: FlowAsset, ms: number): number {
    const day = Math.floor(ms / DAY);
    const reserve = this.#reserveOn(exchange, asset, day);
    return reserve + (this.#reserveOn(exchange, asset, day + 1) - reserve) * ((ms % DAY) / DAY);
  }

  /** Net inflow of all these exchanges on a full day, in coins. */
  netOn(asset: FlowAsset, day: number): number {
    return EXCHANGES.reduce(
      (sum, exchange) => sum + this.#reserveOn(exchange, asset, day + 1) - this.#reserveOn(exchange, asset, day),
      0,
    );
  }

  /** Gross flows on a full day: their difference is the net flow. */
  grossOn(asset: FlowAsset, day: number): { inflow: number; outflow: number } {
    return this.#gross.get(day * 2 + (asset === 'bitcoin' ? 0 : 1), () => this.#grossOn(asset, day));
  }

  #grossOn(asset: FlowAsset, day: number): { inflow: number; outflow: number } {
    const { gross: grossShare, volatilityWeight } = PARAMETERS.flows;
    const reserve = EXCHANGES.reduce((sum, exchange) => sum + this.#reserveOn(exchange, asset, day), 0);
    const baseGross =
      reserve * grossShare * Math.exp(volatilityWeight * signalsOf(this.#market).logVolatility(asset, day * DAY));
    const gross = baseGross * Math.exp(0.12 * normalAt(this.#market.seed, GROSS + asset.length, day));
    const net = this.netOn(asset, day);
    return { inflow: gross + Math.max(0, net), outflow: gross + Math.max(0, -net) };
  }

  #reserveOn(exchange: Exchange, asset: FlowAsset, day: number): number {
    const key = `${exchange} ${asset}`;
    const reserves = this.#reserves.get(key) ?? [RESERVES[exchange][asset]];
    this.#reserves.set(key, reserves);
    const initial = RESERVES[exchange][asset];
    const index = Math.max(0, day - FIRST_DAY);
    const salt = NOISE + EXCHANGES.indexOf(exchange) * 16 + asset.length;
    for (let i = reserves.length - 1; i < index; i++) {
      const reserve = item(reserves, i);
      const reversion = PARAMETERS.flows.meanReversion * Math.log(initial / reserve);
      reserves.push(reserve * Math.exp(this.#dailyChange(asset, FIRST_DAY + i, salt) + reversion));
    }
    return item(reserves, index);
  }

  #dailyChange(asset: FlowAsset, day: number, salt: number): number {
    const { daily, weekly, noise } = PARAMETERS.flows;
    const signals = signalsOf(this.#market);
    const response = -daily * signals.trend(asset, day * DAY, DAY) - weekly * signals.trend(asset, day * DAY, 7 * DAY);
    const noiseDraw =
      normalAt(this.#market.seed, salt, day) + wave(this.#market.seed, salt + 8, day * DAY, 40 * DAY) / 4;
    return Math.max(-0.02, Math.min(0.02, response + noise * noiseDraw));
  }
}

export const flowsOf = perMarket((market) => new Flows(market));

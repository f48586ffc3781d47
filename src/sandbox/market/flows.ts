import type { Market } from './market.ts';
import { normalAt, perMarket, signalsOf, wave } from './signals.ts';
import { DAY, item, MARKET_START, PARAMETERS, Recent } from './time.ts';

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
  readonly #gross = new Recent<{ inflow: number; outflow: number }>(12_000);

  constructor(market: Market) {
    this.#market = market;
  }

  /** Coins held at a given time; a day's flow is spread evenly over it. */
  reserveAt(exchange: Exchange, asset: FlowAsset, ms: number): number {
    const day = Math.floor(ms / DAY);
    const held = this.#held(exchange, asset, day);
    return held + (this.#held(exchange, asset, day + 1) - held) * ((ms % DAY) / DAY);
  }

  /** Net inflow of all these exchanges on a full day, in coins. */
  netOn(asset: FlowAsset, day: number): number {
    return EXCHANGES.reduce(
      (sum, exchange) => sum + this.#held(exchange, asset, day + 1) - this.#held(exchange, asset, day),
      0,
    );
  }

  /** Gross flows on a full day: their difference is the net flow. */
  grossOn(asset: FlowAsset, day: number): { inflow: number; outflow: number } {
    return this.#gross.get(day * 2 + (asset === 'bitcoin' ? 0 : 1), () => this.#grossOn(asset, day));
  }

  #grossOn(asset: FlowAsset, day: number): { inflow: number; outflow: number } {
    const { gross, restless } = PARAMETERS.flows;
    const held = EXCHANGES.reduce((sum, exchange) => sum + this.#held(exchange, asset, day), 0);
    const calm = held * gross * Math.exp(restless * signalsOf(this.#market).restlessness(asset, day * DAY));
    const turned = calm * Math.exp(0.12 * normalAt(this.#market.seed, GROSS + asset.length, day));
    const net = this.netOn(asset, day);
    return { inflow: turned + Math.max(0, net), outflow: turned + Math.max(0, -net) };
  }

  #held(exchange: Exchange, asset: FlowAsset, day: number): number {
    const key = `${exchange} ${asset}`;
    const known = this.#reserves.get(key) ?? [RESERVES[exchange][asset]];
    this.#reserves.set(key, known);
    const first = RESERVES[exchange][asset];
    const wanted = Math.max(0, day - FIRST_DAY);
    const salt = NOISE + EXCHANGES.indexOf(exchange) * 16 + asset.length;
    for (let i = known.length - 1; i < wanted; i++) {
      const held = item(known, i);
      const back = PARAMETERS.flows.pull * Math.log(first / held);
      known.push(held * Math.exp(this.#push(asset, FIRST_DAY + i, salt) + back));
    }
    return item(known, wanted);
  }

  #push(asset: FlowAsset, day: number, salt: number): number {
    const { daily, weekly, noise } = PARAMETERS.flows;
    const signals = signalsOf(this.#market);
    const falls = -daily * signals.trend(asset, day * DAY, DAY) - weekly * signals.trend(asset, day * DAY, 7 * DAY);
    const whim = normalAt(this.#market.seed, salt, day) + wave(this.#market.seed, salt + 8, day * DAY, 40 * DAY) / 4;
    return Math.max(-0.02, Math.min(0.02, falls + noise * whim));
  }
}

export const flowsOf = perMarket((market) => new Flows(market));

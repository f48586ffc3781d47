import type { Coin, Sector } from './coins.ts';
import { fraction, Noise } from './random.ts';
import { DAY, item, MARKET_START, REFERENCE_DAY } from './time.ts';

const FIRST_DAY = MARKET_START / DAY;
const MARKET_SIGMA = 0.021;
const SECTOR_SIGMA = 0.014;
const MARKET_PROCESS = 1000;
/** Log volatility is autoregressive: quiet and wild weeks cluster. */
const VOLATILITY_PERSISTENCE = 0.97;
const VOLATILITY_NOISE = 0.12;
/** Maximum log volatility above normal: the worst day stays within market history. */
const MAX_LOG_VOLATILITY = 1;
/** Mean reversion of log prices, so that over decades they neither vanish nor explode. */
const MEAN_REVERSION = 0.0025;

type PriceModel = { beta: number; sectorBeta: number; sigma: number; meanReversion: number };

const STABLE_MODELS: Partial<Record<Sector, PriceModel>> = {
  stablecoins: { beta: 0, sectorBeta: 0, sigma: 0.0004, meanReversion: 0.35 },
  'tokenized-gold': { beta: 0.05, sectorBeta: 0.5, sigma: 0.002, meanReversion: MEAN_REVERSION },
};

/** How a coin moves with the market, with its sector and alone: smaller coins are more volatile. */
function modelFor(coin: Coin): PriceModel {
  const stableModel = STABLE_MODELS[coin.sector];
  if (stableModel) return stableModel;
  if (coin.id === 'bitcoin') return { beta: 1, sectorBeta: 0.1, sigma: 0.006, meanReversion: MEAN_REVERSION };
  const cap = coin.basePrice * coin.circulatingSupply;
  const size = Math.max(0, Math.log10(1e12 / cap));
  const randomPart = (salt: number) => fraction(0x6e61, coin.index, salt);
  return {
    beta: 1 + 0.5 * randomPart(1),
    sectorBeta: (coin.sector === 'meme-token' ? 1.5 : 0.8) + 0.4 * randomPart(2),
    sigma: 0.012 + (0.004 + 0.003 * randomPart(3)) * size,
    meanReversion: MEAN_REVERSION,
  };
}

/** A daily series computed on demand, in order from the first day; `next` is the state carried over. */
class Series {
  values = new Float64Array(3072);
  sigmas = new Float32Array(3072);
  length = 0;
  next = 0;

  push(value: number, sigma: number, next: number): void {
    if (this.length === this.values.length) {
      const values = new Float64Array(this.length * 2);
      const sigmas = new Float32Array(this.length * 2);
      values.set(this.values);
      sigmas.set(this.sigmas);
      this.values = values;
      this.sigmas = sigmas;
    }
    this.values[this.length] = value;
    this.sigmas[this.length] = sigma;
    this.length += 1;
    this.next = next;
  }

  value(i: number): number {
    return item(this.values, i);
  }

  sigma(i: number): number {
    return item(this.sigmas, i);
  }
}

/** Log price of every coin at 00:00 UTC of every day: daily shocks of the market, the sector and the coin. */
export class DailyPath {
  readonly #seed: number;
  readonly #noise = new Noise();
  readonly #coins: readonly Coin[];
  readonly #models: PriceModel[];
  readonly #sectors: number[];
  readonly #factors = new Map<number, Series>();
  readonly #paths: Series[];
  /**
   * Offsets that turn a path into log prices: on the reference day a coin has its base price, a stablecoin is always
   * near 1.
   */
  readonly #anchors: number[] = [];

  constructor(seed: number, coins: readonly Coin[]) {
    this.#seed = seed;
    this.#coins = coins;
    this.#models = coins.map(modelFor);
    const sectors = [...new Set(coins.map((coin) => coin.sector))].toSorted();
    this.#sectors = coins.map((coin) => MARKET_PROCESS + 1 + sectors.indexOf(coin.sector));
    this.#paths = coins.map(() => new Series());
  }

  /** Log price at the start of a day, counted from 1970. */
  logAt(coin: number, day: number): number {
    const path = this.#path(coin, day);
    return item(this.#anchors, coin) + path.value(Math.max(0, day - FIRST_DAY));
  }

  /** Standard deviation of the day. */
  sigmaAt(coin: number, day: number): number {
    return this.#path(coin, day).sigma(Math.max(0, day - FIRST_DAY));
  }

  usualSigma(coin: number): number {
    const { beta, sectorBeta, sigma } = item(this.#models, coin);
    return Math.hypot(beta * MARKET_SIGMA, sectorBeta * SECTOR_SIGMA, sigma);
  }

  #path(coin: number, day: number): Series {
    const path = item(this.#paths, coin);
    const length = Math.max(day, REFERENCE_DAY) - FIRST_DAY + 1;
    if (path.length >= length) return path;
    const { beta, sectorBeta, sigma, meanReversion } = item(this.#models, coin);
    const market = this.#factor(MARKET_PROCESS, MARKET_SIGMA, length);
    const sector = this.#factor(item(this.#sectors, coin), SECTOR_SIGMA, length);
    for (let i = path.length; i < length; i++) {
      const ownSigma = sigma * (0.4 + (0.6 * market.sigma(i)) / MARKET_SIGMA);
      const variance = (beta * market.sigma(i)) ** 2 + (sectorBeta * sector.sigma(i)) ** 2 + ownSigma * ownSigma;
      const shock = ownSigma * this.#noise.seed(this.#seed, coin, 1, i).heavy();
      const move = beta * market.value(i) + sectorBeta * sector.value(i) + shock;
      path.push(path.next, Math.sqrt(variance), path.next * (1 - meanReversion) + move);
    }
    const listedCoin = item(this.#coins, coin);
    const atReference = listedCoin.sector === 'stablecoins' ? 0 : path.value(REFERENCE_DAY - FIRST_DAY);
    this.#anchors[coin] = Math.log(listedCoin.basePrice) - atReference;
    return path;
  }

  #factor(process: number, usual: number, length: number): Series {
    const series = this.#factors.get(process) ?? new Series();
    this.#factors.set(process, series);
    for (let i = series.length; i < length; i++) {
      const noise = this.#noise.seed(this.#seed, process, 1, i);
      const sigma = usual * Math.exp(Math.min(MAX_LOG_VOLATILITY, series.next - VOLATILITY_NOISE));
      const value = sigma * noise.heavy();
      series.push(value, sigma, VOLATILITY_PERSISTENCE * series.next + VOLATILITY_NOISE * noise.normal());
    }
    return series;
  }
}

import { HORIZON_DAYS } from '#features/analysis/contract/predictions.ts';
import { isInside, type Ranges } from '#features/analysis/server/predictions/scoring/ranges.ts';
import { denseCloses } from '#features/analysis/server/predictions/scoring/volatility.ts';
import { COIN_HORIZONS, type CoinHorizon } from '#features/market/contract/coin-ranges.ts';
import { type CoinCandles, createForecaster } from './volatility-model.ts';

/** Log returns from `price`, the close of the day. */
export type DayRanges = { coin: string; horizon: CoinHorizon; price: number; ranges: Ranges };
export type Held = { coin: string; horizon: CoinHorizon; n: number; held80: number; held95: number };

/** Half of a coin's days must move more than this for a range to say anything: stablecoins do not. */
const LEAST_MOVE = 0.001;

function moves({ candles }: CoinCandles): boolean {
  const returns = candles.slice(1).map(({ close }, i) => Math.abs(Math.log(close / (candles[i]?.close ?? close))));
  return (returns.toSorted((a, b) => a - b)[Math.floor(returns.length / 2)] ?? 0) > LEAST_MOVE;
}

/** The close of a coin on a day; undefined without one. */
function closesOf(coins: readonly CoinCandles[]): (coin: string, day: number) => number | undefined {
  const known = new Map(
    coins.map(({ coin, candles }) => [coin, { first: candles[0]?.day ?? 0, closes: denseCloses(candles) }]),
  );
  return (coin, day) => {
    const of = known.get(coin);
    const close = of?.closes[day - of.first];
    return close === undefined || Number.isNaN(close) ? undefined : close;
  };
}

/** The built-in analyst's model over any number of coins, one fit for all of them. Candles of completed days, oldest first. */
export function coinRanges(all: readonly CoinCandles[]) {
  const coins = all.filter(moves);
  const forecaster = createForecaster(coins);
  const closeOf = closesOf(coins);

  const at = (day: number, horizon: CoinHorizon): DayRanges[] =>
    forecaster.at(day, horizon).flatMap(({ coin, ranges }) => {
      const price = closeOf(coin, day);
      return price === undefined ? [] : [{ coin, horizon, price, ranges }];
    });

  return {
    /** Ranges of every coin with a candle on `day` and enough before it. */
    on: (day: number): DayRanges[] => COIN_HORIZONS.flatMap((horizon) => at(day, horizon)),

    /** How often ranges issued after each of the `days` before `day` held at the closes at their ends, for each coin. */
    replay(day: number, days: number): Held[] {
      const counts = new Map<string, Held>();
      for (const horizon of COIN_HORIZONS) {
        const length = HORIZON_DAYS[horizon];
        for (let issued = day - days; issued <= day - length; issued++) {
          for (const { coin, price, ranges } of at(issued, horizon)) {
            const end = closeOf(coin, issued + length);
            if (end === undefined) continue;
            const key = `${coin} ${horizon}`;
            const count = counts.get(key) ?? { coin, horizon, n: 0, held80: 0, held95: 0 };
            const r = Math.log(end / price);
            count.n += 1;
            count.held80 += isInside(ranges[80], r) ? 1 : 0;
            count.held95 += isInside(ranges[95], r) ? 1 : 0;
            counts.set(key, count);
          }
        }
      }
      return [...counts.values()];
    },
  };
}

import { describe, expect, test } from 'vitest';

import { activityAt } from './activity.ts';
import { addressesOn, feeAt, hashRateOn } from './bitcoin-chain.ts';
import { fundingAt, openInterestAt } from './derivatives.ts';
import { flowsOf } from './flows.ts';
import { liquidationsOf } from './liquidations.ts';
import { isWeekend, macroOf } from './macro.ts';
import { Market } from './market.ts';
import { fearAndGreed, signalsOf, stablecoinsOf, supplyAt } from './signals.ts';
import { DAY } from './time.ts';

const market = new Market(7);
const bitcoin = market.get('bitcoin');
const signals = signalsOf(market);
const TODAY = Date.UTC(2026, 10, 21) / DAY;
const DAYS = Array.from({ length: 1825 }, (_, i) => TODAY - 1824 + i);

const mean = (xs: readonly number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [mx, my] = [mean(xs), mean(ys)];
  const covariance = mean(xs.map((x, i) => (x - mx) * ((ys[i] ?? 0) - my)));
  return covariance / Math.sqrt(mean(xs.map((x) => (x - mx) ** 2)) * mean(ys.map((y) => (y - my) ** 2)));
}

const supply = (day: number) => stablecoinsOf(market).reduce((sum, coin) => sum + supplyAt(market, coin, day * DAY), 0);

const coinsOpen = (day: number) =>
  openInterestAt(market, 'binance', bitcoin, day * DAY) / market.priceAt(bitcoin, day * DAY);

const trend = (span: number) => (day: number) => signals.trend('bitcoin', day * DAY, span * DAY);
const volatility = (day: number) => signals.logVolatility('bitcoin', day * DAY);

describe('over five years', () => {
  test.each<[string, (day: number) => number, (day: number) => number, 1 | -1]>([
    ['fear and greed rises with the trend', (day) => fearAndGreed(market, day), trend(30), 1],
    ['fear and greed falls with volatility', (day) => fearAndGreed(market, day), volatility, -1],
    ['coins flow to exchanges after falls', (day) => flowsOf(market).netOn('bitcoin', day), trend(1), -1],
    ['ether flows as bitcoin does', (day) => flowsOf(market).netOn('ethereum', day), trend(7), -1],
    ['more is turned over in volatile markets', (day) => flowsOf(market).grossOn('bitcoin', day).inflow, volatility, 1],
    [
      'stablecoins grow when prices do',
      (day) => Math.log(supply(day + 30) / supply(day)),
      (day) => trend(30)(day + 30),
      1,
    ],
    ['funding follows the trend', (day) => fundingAt(market, 'okx', bitcoin, day * DAY), trend(7), 1],
    ['addresses rise with volatility', (day) => addressesOn(market, day), volatility, 1],
    ['shares go with bitcoin', (day) => macroOf(market).changeOn('SP500', day), (day) => trend(1)(day + 1), 1],
    [
      'fear of shares falls when they rise',
      (day) => macroOf(market).changeOn('VIXCLS', day),
      (day) => macroOf(market).changeOn('SP500', day),
      -1,
    ],
    ['fees rise with volatility', (day) => Math.log(feeAt(market, day * DAY)), volatility, 1],
    ['hash rate goes up', (day) => hashRateOn(market, day), (day) => day, 1],
    ['open interest, in coins, grows with the trend', coinsOpen, trend(30), 1],
  ])('%s', (_name, series, cause, sign) => {
    expect(sign * correlation(DAYS.map(series), DAYS.map(cause))).toBeGreaterThan(0.2);
  });

  test.each<[string, (day: number) => number]>([
    ['reserve', (day) => flowsOf(market).reserveAt('binance', 'bitcoin', day * DAY)],
    ['net flow', (day) => flowsOf(market).netOn('ethereum', day)],
    ['inflow', (day) => flowsOf(market).grossOn('bitcoin', day).inflow],
    ['stablecoins', supply],
    ['funding', (day) => fundingAt(market, 'bybit', bitcoin, day * DAY)],
    ['open interest', coinsOpen],
    ['hash rate', (day) => hashRateOn(market, day)],
    ['addresses', (day) => addressesOn(market, day)],
    ['fees', (day) => feeAt(market, day * DAY)],
    ['activity of solana', (day) => activityAt(market, 'solana', day * DAY)],
  ])('%s has a different value every day', (_name, series) => {
    expect(new Set(DAYS.map(series)).size).toBeGreaterThan(0.99 * DAYS.length);
  });
});

test('long positions are liquidated on falling days, short ones on rising days', () => {
  const year = DAYS.slice(-200);
  const moves = year.map((day) => trend(1)(day + 1));
  const sums = year.map((day) => {
    const sum = { long: 0, short: 0 };
    const events = liquidationsOf(market).between('okx', bitcoin, day * DAY, (day + 1) * DAY);
    for (const { side, usd } of events) sum[side] += usd;
    return sum;
  });
  const balance = sums.map(({ long, short }) => (long - short) / (long + short));
  expect(correlation(balance, moves)).toBeLessThan(-0.5);
  const falls = (_: unknown, i: number) => (moves[i] ?? 0) < -1;
  expect(mean(sums.filter(falls).map(({ long }) => long))).toBeGreaterThan(1.5 * mean(sums.map(({ long }) => long)));
  const usual = mean(sums.map(({ long, short }) => long + short));
  expect(usual).toBeGreaterThan(1e6);
  expect(usual).toBeLessThan(2e8);
});

test('nothing depends on the request order', () => {
  const [forward, backward] = [new Market(3), new Market(3)];
  const days = DAYS.filter((day) => day % 60 === 0);
  const value = (of: Market) => (day: number) => [fearAndGreed(of, day), flowsOf(of).netOn('bitcoin', day)];
  expect(days.toReversed().map(value(backward)).toReversed()).toEqual(days.map(value(forward)));
});

test('macro series move only on working days, within bounds', () => {
  const macro = macroOf(market);
  for (const series of ['SP500', 'VIXCLS', 'DTWEXBGS', 'DGS10', 'DGS2', 'DCOILWTICO'] as const) {
    const moved = DAYS.filter((day) => macro.changeOn(series, day) !== 0);
    expect(moved.some(isWeekend), series).toBe(false);
    expect(moved.length, series).toBeGreaterThan(1200);
    expect(moved.length, series).toBeLessThan(1275);
  }
});

import { describe, expect, test } from 'vitest';

import { busyAt } from './activity.ts';
import { addressesOn, bitcoinChainOf, feeAt, hashRateOn } from './bitcoin-chain.ts';
import { fundingAt, openInterestAt } from './derivatives.ts';
import { flowsOf } from './flows.ts';
import { liquidationsOf } from './liquidations.ts';
import { isWeekend, macroOf } from './macro.ts';
import { Market } from './market.ts';
import { fearAndGreed, signalsOf, stablecoinsOf, supplyAt } from './signals.ts';
import { DAY, HOUR } from './time.ts';

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
const restlessness = (day: number) => signals.restlessness('bitcoin', day * DAY);

describe('over five years', () => {
  test.each<[string, (day: number) => number, (day: number) => number, 1 | -1]>([
    ['fear and greed rises with the trend', (day) => fearAndGreed(market, day), trend(30), 1],
    ['fear and greed falls with restlessness', (day) => fearAndGreed(market, day), restlessness, -1],
    ['coins flow to exchanges after falls', (day) => flowsOf(market).netOn('bitcoin', day), trend(1), -1],
    ['ether flows as bitcoin does', (day) => flowsOf(market).netOn('ethereum', day), trend(7), -1],
    [
      'more is turned over when it is restless',
      (day) => flowsOf(market).grossOn('bitcoin', day).inflow,
      restlessness,
      1,
    ],
    [
      'stablecoins grow in good months',
      (day) => Math.log(supply(day + 30) / supply(day)),
      (day) => trend(30)(day + 30),
      1,
    ],
    ['funding follows the trend', (day) => fundingAt(market, 'okx', bitcoin, day * DAY), trend(7), 1],
    ['addresses go with restlessness', (day) => addressesOn(market, day), restlessness, 1],
    ['shares go with bitcoin', (day) => macroOf(market).changeOn('SP500', day), (day) => trend(1)(day + 1), 1],
    [
      'fear of shares falls when they rise',
      (day) => macroOf(market).changeOn('VIXCLS', day),
      (day) => macroOf(market).changeOn('SP500', day),
      -1,
    ],
    ['fees go with restlessness', (day) => Math.log(feeAt(market, day * DAY)), restlessness, 1],
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
    ['activity of solana', (day) => busyAt(market, 'solana', day * DAY)],
  ])('%s has a value of its own every day', (_name, series) => {
    expect(new Set(DAYS.map(series)).size).toBeGreaterThan(0.99 * DAYS.length);
  });
});

test('long positions are closed on days of falls, short ones on days of rises', () => {
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

test('liquidations of a day are those of its minutes, in order', () => {
  const from = TODAY * DAY;
  const whole = liquidationsOf(market).between('bybit', bitcoin, from, from + 6 * HOUR);
  const minutes = Array.from({ length: 360 }, (_, i) =>
    liquidationsOf(market).between('bybit', bitcoin, from + i * 60_000, from + (i + 1) * 60_000),
  );
  expect(minutes.flat()).toEqual(whole);
  expect(whole.map(({ at }) => at)).toEqual(whole.map(({ at }) => at).toSorted((a, b) => a - b));
});

test('the flows of the hours are the flow of the day', () => {
  const flows = flowsOf(market);
  const start = (TODAY - 1) * DAY;
  const at = (hour: number) => flows.reserveAt('kraken', 'bitcoin', start + hour * HOUR);
  const hours = Array.from({ length: 24 }, (_, hour) => at(hour + 1) - at(hour));
  expect(hours.reduce((sum, change) => sum + change, 0)).toBeCloseTo(at(24) - at(0), 6);
});

test('net is inflow less outflow', () => {
  const flows = flowsOf(market);
  for (const day of DAYS.slice(-100)) {
    const { inflow, outflow } = flows.grossOn('bitcoin', day);
    expect(inflow - outflow).toBeCloseTo(flows.netOn('bitcoin', day), 6);
    expect(outflow).toBeGreaterThan(0);
  }
});

test('nothing depends on the order of questions', () => {
  const [forward, backward] = [new Market(3), new Market(3)];
  const days = DAYS.filter((day) => day % 60 === 0);
  const value = (of: Market) => (day: number) => [fearAndGreed(of, day), flowsOf(of).netOn('bitcoin', day)];
  expect(days.toReversed().map(value(backward)).toReversed()).toEqual(days.map(value(forward)));
});

test('difficulty follows the hash rate from fortnight to fortnight', () => {
  const chain = bitcoinChainOf(market);
  const current = chain.epochAt(TODAY * DAY);
  const epochs = Array.from({ length: 100 }, (_, i) => chain.epoch(current.number - 99 + i));
  for (const [i, { start, length, difficulty }] of epochs.entries()) {
    const next = epochs[i + 1];
    if (next) expect(next.start).toBeCloseTo(start + length, 3);
    expect(length / DAY).toBeGreaterThan(10);
    expect(length / DAY).toBeLessThan(18);
    expect((difficulty * 2 ** 32) / 600 / hashRateOn(market, start / DAY)).toBeCloseTo(1, 0);
  }
  expect(hashRateOn(market, TODAY)).toBeGreaterThan(2 ** 53);
  expect((epochs.at(-1)?.difficulty ?? 0) / (epochs[0]?.difficulty ?? 1)).toBeGreaterThan(1.5);
});

test('blocks come one after the other, some 144 a day', () => {
  const chain = bitcoinChainOf(market);
  const height = chain.heightAt(TODAY * DAY);
  for (let i = 0; i < 3000; i++) {
    const [at, next] = [chain.timeOf(height - i), chain.timeOf(height - i + 1)];
    expect(next).toBeGreaterThanOrEqual(at);
    if (next > at) expect(chain.heightAt(next - 1)).toBe(height - i);
  }
  const days = DAYS.slice(-30).map((day) => chain.heightAt(day * DAY) - chain.heightAt((day - 1) * DAY));
  for (const count of days) expect(Math.abs(count - 144)).toBeLessThan(45);
});

test('macro series move on working days alone, within bounds', () => {
  const macro = macroOf(market);
  for (const series of ['SP500', 'VIXCLS', 'DTWEXBGS', 'DGS10', 'DGS2', 'DCOILWTICO'] as const) {
    const moved = DAYS.filter((day) => macro.changeOn(series, day) !== 0);
    expect(moved.some(isWeekend), series).toBe(false);
    expect(moved.length, series).toBeGreaterThan(1200);
    expect(moved.length, series).toBeLessThan(1275);
  }
});

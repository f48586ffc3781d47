import type { Market } from './market.ts';
import { normalAt, perMarket, signalsOf } from './signals.ts';
import { DAY, item, MARKET_START, PARAMETERS } from './time.ts';

const DAILY = ['SP500', 'VIXCLS', 'DTWEXBGS', 'DGS30', 'DGS10', 'DGS2', 'DCOILWTICO'] as const;
export type DailyMacro = (typeof DAILY)[number];

const FIRST_DAY = MARKET_START / DAY;
const SALT = 0x6d6163;
const MAX_DEVIATIONS = 4;
/** Points above the ten-year yield. */
const THIRTY_YEAR_SPREAD = { above: 0.45, noise: 0.02 };

type Day = Record<DailyMacro, number>;

/** The `n`th given weekday of a month, from the end with a negative `n`. */
function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  if (n < 0) {
    const last = new Date(Date.UTC(year, month + 1, 0));
    return last.getUTCDate() - ((last.getUTCDay() - weekday + 7) % 7);
  }
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return 1 + ((weekday - first + 7) % 7) + 7 * (n - 1);
}

export function isWeekend(day: number): boolean {
  const weekday = new Date(day * DAY).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** New York trading holidays. */
export function isHoliday(day: number): boolean {
  const date = new Date(day * DAY);
  const [year, month, of] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const fixed: Readonly<Record<number, number>> = { 0: 1, 5: 19, 6: 4, 11: 25 };
  if (fixed[month] === of) return true;
  const floating: Readonly<Record<number, readonly [weekday: number, n: number]>> = {
    0: [1, 3],
    1: [1, 3],
    4: [1, -1],
    8: [1, 1],
    10: [4, 4],
  };
  const rule = floating[month];
  return rule !== undefined && nthWeekday(year, month, ...rule) === of;
}

/** Traditional markets by working day; other days keep the value of the day before. */
class Macro {
  readonly #market: Market;
  readonly #days: Day[] = [];
  readonly #logs = { equities: 0, dollar: 0, oil: 0 };
  #sessions = 0;
  #closedDays = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  valueOn(series: DailyMacro, day: number): number {
    const index = Math.max(0, day - FIRST_DAY);
    while (this.#days.length <= index) this.#days.push(this.#next(FIRST_DAY + this.#days.length));
    return item(this.#days, index)[series];
  }

  /** Change from the previous day: in points for rates and volatility, in logs for the others. */
  changeOn(series: DailyMacro, day: number): number {
    const [before, after] = [this.valueOn(series, day - 1), this.valueOn(series, day)];
    return series === 'VIXCLS' || series.startsWith('DGS') ? after - before : Math.log(after / before);
  }

  /** Percent in a month counted from 1970: quarter points that follow the two-year yield of the previous month. */
  fundsRate(month: number): number {
    const [from, to] = [monthStart(month - 1), monthStart(month)];
    let sum = 0;
    for (let day = from; day < to; day++) sum += this.valueOn('DGS2', day);
    const upper = Math.max(0.25, Math.round(4 * (sum / (to - from) - 0.2)) / 4);
    return upper - 0.12;
  }

  #next(day: number): Day {
    const last = this.#days.at(-1) ?? START;
    if (isWeekend(day) || isHoliday(day)) {
      this.#closedDays += 1;
      return last;
    }
    const span = (this.#closedDays + 1) * DAY;
    this.#closedDays = 0;
    this.#sessions += 1;
    const draw = (i: number) =>
      Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, normalAt(this.#market.seed, SALT + i, day)));
    const correlated = (factor: number, correlation: number, i: number) =>
      correlation * factor + Math.sqrt(1 - correlation * correlation) * draw(i);

    const bitcoin = Math.max(
      -MAX_DEVIATIONS,
      Math.min(MAX_DEVIATIONS, signalsOf(this.#market).trend('bitcoin', (day + 1) * DAY, span)),
    );
    const sentiment = correlated(bitcoin, equities.bitcoinCorrelation, 1);
    const move = equities.deviation * sentiment;
    const logs = this.#logs;
    logs.equities += move - equities.meanReversion * logs.equities;
    logs.dollar +=
      dollar.deviation * correlated(sentiment, dollar.equityCorrelation, 2) - dollar.meanReversion * logs.dollar;
    logs.oil += oil.deviation * correlated(sentiment, oil.equityCorrelation, 3) - oil.meanReversion * logs.oil;
    const tenYearShock = correlated(sentiment, tenYearParameters.equityCorrelation, 4);
    const twoYearShock = correlated(tenYearShock, twoYearParameters.tenYearCorrelation, 5);
    const reversion = (value: number, { mean, meanReversion }: { mean: number; meanReversion: number }) =>
      meanReversion * (mean - value);
    const tenYearYield = Math.max(
      0.3,
      last.DGS10 + reversion(last.DGS10, tenYearParameters) + tenYearParameters.deviation * tenYearShock,
    );
    return {
      SP500: equities.start * Math.exp(logs.equities + equities.drift * this.#sessions),
      VIXCLS: Math.max(
        volatilityIndex.min,
        last.VIXCLS +
          reversion(last.VIXCLS, volatilityIndex) -
          volatilityIndex.declineWeight * move +
          volatilityIndex.noise * draw(6),
      ),
      DTWEXBGS: dollar.mean * Math.exp(logs.dollar),
      DGS30: tenYearYield + THIRTY_YEAR_SPREAD.above + THIRTY_YEAR_SPREAD.noise * draw(7),
      DGS10: tenYearYield,
      DGS2: Math.max(
        0.1,
        last.DGS2 + reversion(last.DGS2, twoYearParameters) + twoYearParameters.deviation * twoYearShock,
      ),
      DCOILWTICO: oil.mean * Math.exp(logs.oil),
    };
  }
}

const {
  equities,
  volatilityIndex,
  dollar,
  tenYearYield: tenYearParameters,
  twoYearYield: twoYearParameters,
  oil,
} = PARAMETERS.macro;
const START: Day = {
  SP500: equities.start,
  VIXCLS: volatilityIndex.mean,
  DTWEXBGS: dollar.mean,
  DGS30: tenYearParameters.mean + THIRTY_YEAR_SPREAD.above,
  DGS10: tenYearParameters.mean,
  DGS2: twoYearParameters.mean,
  DCOILWTICO: oil.mean,
};

/** First day of a month counted from January 1970. */
export const monthStart = (month: number): number => Date.UTC(1970, month, 1) / DAY;

export const macroOf = perMarket((market) => new Macro(market));

import type { Market } from './market.ts';
import { normalAt, perMarket, signalsOf } from './signals.ts';
import { DAY, item, MARKET_START, PARAMETERS } from './time.ts';

const DAILY = ['SP500', 'VIXCLS', 'DTWEXBGS', 'DGS30', 'DGS10', 'DGS2', 'DCOILWTICO'] as const;
export type DailyMacro = (typeof DAILY)[number];

const FIRST_DAY = MARKET_START / DAY;
const SALT = 0x6d6163;
const MOST = 4;
/** Points above the ten-year yield. */
const THIRTY_YEARS = { above: 0.45, noise: 0.02 };

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
  const moving: Readonly<Record<number, readonly [weekday: number, n: number]>> = {
    0: [1, 3],
    1: [1, 3],
    4: [1, -1],
    8: [1, 1],
    10: [4, 4],
  };
  const rule = moving[month];
  return rule !== undefined && nthWeekday(year, month, ...rule) === of;
}

/** Traditional markets by working day; other days keep the value of the day before. */
class Macro {
  readonly #market: Market;
  readonly #days: Day[] = [];
  readonly #logs = { shares: 0, dollar: 0, oil: 0 };
  #sessions = 0;
  #closedDays = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  valueOn(series: DailyMacro, day: number): number {
    const wanted = Math.max(0, day - FIRST_DAY);
    while (this.#days.length <= wanted) this.#days.push(this.#next(FIRST_DAY + this.#days.length));
    return item(this.#days, wanted)[series];
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
    const { shares, fear, dollar, tenYears, twoYears, oil } = PARAMETERS.macro;
    const draw = (i: number) => Math.max(-MOST, Math.min(MOST, normalAt(this.#market.seed, SALT + i, day)));
    const mixed = (other: number, part: number, i: number) => part * other + Math.sqrt(1 - part * part) * draw(i);

    const bitcoin = Math.max(-MOST, Math.min(MOST, signalsOf(this.#market).trend('bitcoin', (day + 1) * DAY, span)));
    const mood = mixed(bitcoin, shares.withBitcoin, 1);
    const move = shares.deviation * mood;
    const logs = this.#logs;
    logs.shares += move - shares.pull * logs.shares;
    logs.dollar += dollar.deviation * mixed(mood, dollar.withShares, 2) - dollar.pull * logs.dollar;
    logs.oil += oil.deviation * mixed(mood, oil.withShares, 3) - oil.pull * logs.oil;
    const long = mixed(mood, tenYears.withShares, 4);
    const short = mixed(long, twoYears.withTenYears, 5);
    const towards = (value: number, { middle, pull }: { middle: number; pull: number }) => pull * (middle - value);
    const inTenYears = Math.max(0.3, last.DGS10 + towards(last.DGS10, tenYears) + tenYears.deviation * long);
    return {
      SP500: shares.start * Math.exp(logs.shares + shares.drift * this.#sessions),
      VIXCLS: Math.max(fear.least, last.VIXCLS + towards(last.VIXCLS, fear) - fear.fall * move + fear.noise * draw(6)),
      DTWEXBGS: dollar.middle * Math.exp(logs.dollar),
      DGS30: inTenYears + THIRTY_YEARS.above + THIRTY_YEARS.noise * draw(7),
      DGS10: inTenYears,
      DGS2: Math.max(0.1, last.DGS2 + towards(last.DGS2, twoYears) + twoYears.deviation * short),
      DCOILWTICO: oil.middle * Math.exp(logs.oil),
    };
  }
}

const { shares, fear, dollar, tenYears, twoYears, oil } = PARAMETERS.macro;
const START: Day = {
  SP500: shares.start,
  VIXCLS: fear.middle,
  DTWEXBGS: dollar.middle,
  DGS30: tenYears.middle + THIRTY_YEARS.above,
  DGS10: tenYears.middle,
  DGS2: twoYears.middle,
  DCOILWTICO: oil.middle,
};

/** First day of a month counted from January 1970. */
export const monthStart = (month: number): number => Date.UTC(1970, month, 1) / DAY;

export const macroOf = perMarket((market) => new Macro(market));

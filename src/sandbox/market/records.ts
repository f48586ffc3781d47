import { DAY, MARKET_START } from './time.ts';

const FIRST_DAY = MARKET_START / DAY;
const NONE = { high: Number.NEGATIVE_INFINITY, highDay: FIRST_DAY, low: Number.POSITIVE_INFINITY, lowDay: FIRST_DAY };

type Best = { high: number; low: number };
type Standing = Best & { highDay: number; lowDay: number };

/** Every day that a coin went higher or lower than ever before: few, so that any earlier day is looked up, not counted again. */
export class Records {
  readonly #dayOf: (day: number, best: Best) => Best;
  readonly #known: { from: number; record: Standing }[] = [];
  #next = FIRST_DAY;

  constructor(dayOf: (day: number, best: Best) => Best) {
    this.#dayOf = dayOf;
  }

  /** Highest and lowest of all days before one. */
  before(day: number): Standing {
    for (; this.#next < day; this.#next++) this.#add(this.#next);
    return this.#known.findLast(({ from }) => from <= day)?.record ?? NONE;
  }

  #add(day: number): void {
    const best = this.#known.at(-1)?.record ?? NONE;
    const { high, low } = this.#dayOf(day, best);
    if (high <= best.high && low >= best.low) return;
    const record = { ...best };
    if (high > best.high) [record.high, record.highDay] = [high, day];
    if (low < best.low) [record.low, record.lowDay] = [low, day];
    this.#known.push({ from: day + 1, record });
  }
}

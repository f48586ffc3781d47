import type { EventStudy } from '#features/events/contract.ts';
import type { ReleaseResult } from '#features/inflation/server/service.ts';
import { confidenceInterval, MIN_VALUES, mean } from '#shared/interval.ts';
import { RELEASE_NAMES } from '#shared/release-calendar.ts';

import type { EventsContext } from '../context.ts';
import { addDays, isoDay, midnight } from '../rules.ts';
import type { Studied } from './view.ts';

const WINDOWS = [
  ['24h', 1],
  ['3d', 3],
  ['7d', 7],
] as const;
const ASSETS = [
  ['BTC', 'bitcoin'],
  ['ETH', 'ethereum'],
] as const;
const SIGNS = ['above', 'in line', 'below', 'all'] as const;
type Sign = (typeof SIGNS)[number];
/** Figures are published to a tenth of a point. */
const IN_LINE = 0.05;

export type Closes = ReadonlyMap<string, number>;

/** Log return in percent from the close before a day to the close a number of days later; null when one is missing. */
export function moveAround(closes: Closes, day: string, days: number): number | null {
  const at = midnight(day);
  const [before, after] = [closes.get(isoDay(addDays(at, -1))), closes.get(isoDay(addDays(at, days - 1)))];
  return before && after ? 100 * Math.log(after / before) : null;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/**
 * Mean of the moves minus that of all days, with its interval; null below 8 events. The interval is 99%: in a table of
 * 24 cells at 95%, one would stand out by chance.
 */
export function toCell(
  moves: readonly number[],
  average: number,
): Pick<EventStudy['cells'][number], 'n' | 'mean' | 'low' | 'high'> {
  const over = moves.map((move) => move - average);
  const interval = confidenceInterval(over);
  if (!interval) return { n: moves.length, mean: null, low: null, high: null };
  return { n: moves.length, mean: rounded(mean(over)), low: rounded(interval.low), high: rounded(interval.high) };
}

/** The average over every window of that length between two days. */
export function averageMove(closes: Closes, from: string, to: string, days: number): number {
  const moves: number[] = [];
  for (let at = midnight(from); isoDay(at) <= to; at = addDays(at, 1)) {
    const move = moveAround(closes, isoDay(at), days);
    if (move !== null) moves.push(move);
  }
  return moves.length > 0 ? mean(moves) : 0;
}

type Surprising = { date: string; period: string; surprise: number | null };

/** Relative to the consensus if enough is stored, else to the previous month. */
export function findSurprises(prints: readonly ReleaseResult[]): { against: string; events: Surprising[] } {
  const agreed = prints.filter(({ actual, consensus }) => actual !== null && consensus !== null);
  const byConsensus = agreed.length >= MIN_VALUES;
  const used = byConsensus ? agreed : prints;
  const events = used.map(({ releasedAt, period, actual, consensus, previous }) => {
    const expected = byConsensus ? consensus : previous;
    const surprise = actual === null || expected === null ? null : rounded(actual - expected);
    return { date: isoDay(releasedAt), period, surprise };
  });
  const against = byConsensus
    ? 'Surprise = monthly rate minus the consensus before release, in percentage points.'
    : 'Surprise = monthly rate minus the previous month’s, in percentage points, because too few releases have a stored consensus.';
  // When two months were released on one day, the later one was the news.
  return { against, events: [...new Map(events.map((event) => [event.date, event])).values()] };
}

const surpriseSign = (surprise: number | null): Sign | null => {
  if (surprise === null) return null;
  if (Math.abs(surprise) < IN_LINE) return 'in line';
  return surprise > 0 ? 'above' : 'below';
};

/** Moves of BTC and ETH around the releases of a kind, by the sign of the surprise. */
export async function readStudy(ctx: EventsContext, kind: Studied): Promise<EventStudy> {
  const { against, events } = findSurprises(ctx.inflation.prints(kind));
  const first = events[0]?.date;
  const today = isoDay(ctx.now());
  const found = first
    ? await ctx.market.dailyCandles(
        ASSETS.map(([, id]) => id),
        addDays(midnight(first), -2),
        ctx.now(),
      )
    : new Map<string, { day: string; close: number }[]>();
  // The current day has no close yet.
  const createCloses = (id: string): Closes =>
    new Map((found.get(id) ?? []).filter(({ day }) => day < today).map(({ day, close }) => [day, close]));
  const all = new Map(ASSETS.map(([asset, id]) => [asset, createCloses(id)]));
  const priced = events.filter(({ date }) => moveAround(all.get('BTC') ?? new Map(), date, 1) !== null);
  const cells = ASSETS.flatMap(([asset]) => {
    const closes = all.get(asset) ?? new Map<string, number>();
    return WINDOWS.flatMap(([window, days]) => {
      const moves = events.flatMap(({ date, surprise }) => {
        const move = moveAround(closes, date, days);
        return move === null ? [] : [{ date, move, sign: surpriseSign(surprise) }];
      });
      const average = averageMove(closes, moves[0]?.date ?? today, moves.at(-1)?.date ?? '', days);
      return SIGNS.map((sign) => {
        const chosen = moves.filter((each) => sign === 'all' || each.sign === sign).map(({ move }) => move);
        return { asset, window, sign, ...toCell(chosen, average) };
      });
    });
  });
  const btc = all.get('BTC') ?? new Map<string, number>();
  return {
    kind,
    name: RELEASE_NAMES[kind].name,
    against,
    from: priced[0]?.date ?? null,
    to: priced.at(-1)?.date ?? null,
    source:
      'Official releases and our daily closes (UTC), measured from the close before the release, minus the average of all days in the period, with a 99% interval',
    cells,
    events: priced.toReversed().map((event) => {
      const move = moveAround(btc, event.date, 1);
      return { ...event, btc24h: move === null ? null : rounded(move) };
    }),
  };
}

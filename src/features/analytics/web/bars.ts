import type { Candles } from '#features/market/contract/market.ts';

import type { Timeframe } from './view.ts';

/** `time` in seconds since epoch; `volume` in USD. */
export type Bar = { time: number; open: number; high: number; low: number; close: number; volume: number | null };
/** A time without trades: an empty place on the axis. */
export type Slot = Bar | { time: number };
export const isBar = (slot: Slot | undefined): slot is Bar => slot !== undefined && 'close' in slot;

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
/** 1970 began on a Thursday. */
const FIRST_MONDAY_S = 4 * DAY_S;

const toSeconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** Start of the bar `steps` after the one containing a moment, in seconds and UTC. */
export function barStart(timeframe: Timeframe, atS: number, steps = 0): number {
  if (timeframe === 'M') {
    const day = new Date(atS * 1000);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + steps, 1) / 1000;
  }
  const length = timeframe === 'W' ? WEEK_S : timeframe === 'D' ? DAY_S : Number(timeframe) * 60;
  const origin = timeframe === 'W' ? FIRST_MONDAY_S : 0;
  return (Math.floor((atS - origin) / length) + steps) * length + origin;
}

/** More gaps than a screen has columns add no information. */
const MOST_EMPTY = 2000;

function emptySlots({ gaps }: Pick<Candles, 'gaps'>, timeframe: Timeframe): Slot[] {
  return gaps.flatMap(({ from, to }) => {
    const end = toSeconds(to);
    const slots: Slot[] = [];
    for (let at = toSeconds(from); at <= end && slots.length < MOST_EMPTY; at = barStart(timeframe, at, 1))
      slots.push({ time: at });
    return slots;
  });
}

/** In time order, gaps as empty slots. */
export function toSlots(reply: Pick<Candles, 'candles' | 'gaps'>, timeframe: Timeframe): Slot[] {
  const bars = reply.candles.map(({ at, ...rest }): Slot => ({ time: toSeconds(at), ...rest }));
  const empty = emptySlots(reply, timeframe);
  if (empty.length === 0) return bars;
  const known = new Set(bars.map(({ time }) => time));
  return [...bars, ...empty.filter(({ time }) => !known.has(time))].toSorted((a, b) => a.time - b.time);
}

/** The last bar updated with a price, or the new bar it starts; undefined for an older price. */
export function withPrice(last: Bar, timeframe: Timeframe, price: number, atMs: number): Bar | undefined {
  const time = barStart(timeframe, Math.floor(atMs / 1000));
  if (time < last.time) return undefined;
  if (time > last.time) {
    const open = last.close;
    return { time, open, high: Math.max(open, price), low: Math.min(open, price), close: price, volume: null };
  }
  return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
}

/** A past or future event, shown on its bar. */
export type Mark = { id: number; at: number; title: string; level: 'high' | 'medium' | 'low' };

/** Marks by bar; those before the first bar or after the last are omitted. */
export function marksByBar(marks: readonly Mark[], slots: readonly Slot[], timeframe: Timeframe): Map<number, Mark[]> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return new Map();
  const end = barStart(timeframe, last.time, 1);
  const inside = marks.filter(({ at }) => at >= first.time * 1000 && at < end * 1000);
  return Map.groupBy(inside, ({ at }) => barStart(timeframe, Math.floor(at / 1000)));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '21 Nov 2026, 14:00' for minutes and hours, '21 Nov 2026' for days and weeks, 'Nov 2026' for months. */
export function barName(timeframe: Timeframe, atS: number): string {
  const at = new Date(atS * 1000);
  const month = `${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  if (timeframe === 'M') return month;
  const day = `${at.getUTCDate()} ${month}`;
  return timeframe === 'D' || timeframe === 'W' ? day : `${day}, ${at.toISOString().slice(11, 16)}`;
}

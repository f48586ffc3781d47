import { readFileSync } from 'node:fs';

import { addMonths, findRelease, nextRelease } from '#shared/release-calendar.ts';
import { seriesRows, US_SERIES, type UsSeries } from '#shared/us-series.ts';

import type { Market } from './market.ts';
import { normalAt, perMarket } from './signals.ts';

/** A level and the time from which it was the published one; null where the month was not measured. */
export type Vintage = { from: number; value: number | null };

const SALT = 0x63_70_69;
const FIRST = '2014-12';
/** No prices were collected in this month. */
const MISSING = '2025-10';
/** Mean, deviation and persistence of a month's log change. */
const CORE = { mean: 0.0022, deviation: 0.0007, holds: 0.35 };
const HEADLINE_NOISE = 0.0012;
const PARTS: Readonly<Record<UsSeries['release'], { core: number; wild: number; start: [all: number, core: number] }>> =
  {
    cpi: { core: 1, wild: 1, start: [236.25, 239.2] },
    pce: { core: 0.85, wild: 0.7, start: [97.9, 98.4] },
    ppi: { core: 1, wild: 2.2, start: [109.8, 108.9] },
  };
/** Deviation of a first release from the final level, and the change of new seasonal factors over a year. */
const FIRST_PRINT = 0.0004;
const REFACTORED = 0.0003;
const SEASON = [-0.0035, -0.0012, 0.0008, 0.0018, 0.0022, 0.0022, 0.0014, 0.0008, 0.0006, 0.0002, -0.0018, -0.0035];

const monthIndex = (period: string) => Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;
const rounded = (value: number) => Math.round(value * 1000) / 1000;

const folder = new URL('../../shared/us-series/', import.meta.url);
const shipped = new Map(
  US_SERIES.filter(({ isShipped }) => isShipped).map(({ id }) => [
    id,
    seriesRows(readFileSync(new URL(`${id}.csv`, folder), 'utf8')),
  ]),
);

/** The official price indexes: actual values where a copy ships, simulated after it and where there is none. */
class PriceIndexes {
  readonly #seed: number;
  readonly #levels = new Map<string, number>();

  constructor(market: Market) {
    this.#seed = market.seed;
  }

  #noise(what: number, period: string): number {
    return Math.max(-3, Math.min(3, normalAt(this.#seed, SALT + what, monthIndex(period))));
  }

  /** Log change of a simulated month. */
  #change({ release, isCore }: UsSeries, period: string): number {
    const { core, wild } = PARTS[release];
    const own = release === 'cpi' ? 1 : release === 'pce' ? 2 : 3;
    const shared = this.#noise(0, period) * 0.8 + this.#noise(own, period) * 0.6;
    const held = CORE.holds * this.#noise(0, addMonths(period, -1));
    const calm = CORE.mean * core + CORE.deviation * (shared + held);
    return isCore ? calm : calm + HEADLINE_NOISE * wild * this.#noise(4, period);
  }

  /** The seasonally adjusted level after all revisions. */
  #settled(series: UsSeries, period: string): number {
    const given = shipped.get(series.id)?.get(period);
    if (typeof given === 'number') return given;
    const key = `${series.id} ${period}`;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const [all, core] = PARTS[series.release].start;
    const level =
      period <= FIRST
        ? series.isCore
          ? core
          : all
        : this.#settled(series, addMonths(period, -1)) * Math.exp(this.#changeOf(series, period));
    this.#levels.set(key, level);
    return level;
  }

  /** A simulated series follows an actual one of the same kind where it is known. */
  #changeOf(series: UsSeries, period: string): number {
    const like = series.release === 'pce' ? (series.isCore ? 'PCEPILFE' : 'CPIAUCSL') : 'PPIFIS';
    const rows = series.isShipped ? undefined : shipped.get(like);
    const [before, now] = [rows?.get(addMonths(period, -1)), rows?.get(period)];
    if (typeof before !== 'number' || typeof now !== 'number') return this.#change(series, period);
    const change = Math.log(now / before);
    if (like === 'PCEPILFE') return change;
    return series.isCore ? 0.5 * change + 0.5 * CORE.mean : like === 'CPIAUCSL' ? 0.8 * change : change;
  }

  #level(series: UsSeries, period: string): number {
    if (series.isAdjusted) return this.#settled(series, period);
    const adjusted = US_SERIES.find(
      ({ release, isCore, isAdjusted }) => release === series.release && isCore === series.isCore && isAdjusted,
    ) as UsSeries;
    const season = SEASON[monthIndex(period) % 12] ?? 0;
    return this.#settled(adjusted, period) * (1 + season * (series.isCore ? 0.5 : 1));
  }

  /** All published values of a month, oldest first; empty before its release. */
  vintages(series: UsSeries, period: string, now: number): Vintage[] {
    const { release, isAdjusted, id } = series;
    if (period < FIRST) return [];
    if (release === 'cpi' && period === MISSING) {
      const next = findRelease('cpi', addMonths(period, 1))?.at.getTime() ?? Number.POSITIVE_INFINITY;
      return next <= now ? [{ from: next, value: null }] : [];
    }
    const first = findRelease(release, period)?.at;
    if (!first || first.getTime() > now) return [];
    const settled = this.#level(series, period);
    const isTrue = shipped.get(id)?.has(period) ?? false;
    const at = (from: number, off: number): Vintage => ({ from, value: rounded(settled * (1 + off)) });
    if (isTrue || !isAdjusted) return [at(first.getTime(), 0)];
    const own = US_SERIES.indexOf(series);
    const off = release === 'cpi' ? REFACTORED : FIRST_PRINT;
    // Consumer prices are revised once a year with new seasonal factors, the others with the next release.
    const again =
      release === 'cpi'
        ? findRelease('cpi', `${Number(period.slice(0, 4)) + 1}-01`)?.at
        : nextRelease(release, first).at;
    const all = [at(first.getTime(), off * this.#noise(10 + own, period))];
    if (again && again > first) all.push(at(again.getTime(), 0));
    return all.filter(({ from }, i) => from <= now && (i === 0 || all[i]?.value !== all[i - 1]?.value));
  }

  /** The level as published at a given time: undefined before its release, null where there is none. */
  levelAt(series: UsSeries, period: string, now: number): number | null | undefined {
    return this.vintages(series, period, now).at(-1)?.value;
  }

  months(now: number): string[] {
    const months: string[] = [];
    const last = new Date(now).toISOString().slice(0, 7);
    for (let period = FIRST; period <= last; period = addMonths(period, 1)) months.push(period);
    return months;
  }

  /** The release value: percentage change from the previous month, as published by then. */
  printed(series: UsSeries, period: string): number | null {
    const first = findRelease(series.release, period)?.at.getTime();
    if (first === undefined) return null;
    const [now, before] = [this.levelAt(series, period, first), this.levelAt(series, addMonths(period, -1), first)];
    return now && before ? (now / before - 1) * 100 : null;
  }

  /** The consensus for a release, in tenths of a percent; now and then it misses by a tenth. */
  consensus(series: UsSeries, period: string): number | null {
    const print = this.printed(series, period);
    if (print === null) return null;
    return Math.round(10 * (print + 0.08 * this.#noise(30 + US_SERIES.indexOf(series), period))) / 10;
  }

  /** The nowcast this many days before the release: it converges to the result. */
  nowcast(series: UsSeries, period: string, daysBefore: number): number | null {
    const print = this.printed(series, period);
    if (print === null) return null;
    const far = Math.min(1.5, 0.4 + daysBefore / 30);
    const drift = 0.07 * this.#noise(50 + US_SERIES.indexOf(series), period);
    const day = 0.02 * normalAt(this.#seed, SALT + 90, monthIndex(period) * 100 + Math.round(daysBefore));
    return print + far * (drift + day);
  }
}

export const priceIndexesOf = perMarket((market) => new PriceIndexes(market));

export const usSeries = (id: string): UsSeries | undefined => US_SERIES.find((series) => series.id === id);

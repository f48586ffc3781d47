import { readFileSync } from 'node:fs';

import { addMonths, findRelease, nextRelease } from '#shared/release-calendar.ts';
import { seriesRows, US_SERIES, type UsSeries } from '#shared/us-series.ts';

import type { Market } from './market.ts';
import { normalAt, perMarket } from './signals.ts';

/** A level and the time from which it was the published one; null where the month was not measured. */
export type Vintage = { from: number; value: number | null };

const SALT = 0x63_70_69;
const FIRST_PERIOD = '2014-12';
/** No prices were collected in this month. */
const MISSING_PERIOD = '2025-10';
/** Mean, deviation and persistence of a month's log change. */
const CORE = { mean: 0.0022, deviation: 0.0007, persistence: 0.35 };
const HEADLINE_NOISE = 0.0012;
const RELEASE_PARAMETERS: Readonly<
  Record<UsSeries['release'], { core: number; headlineVolatility: number; start: [all: number, core: number] }>
> = {
  cpi: { core: 1, headlineVolatility: 1, start: [236.25, 239.2] },
  pce: { core: 0.85, headlineVolatility: 0.7, start: [97.9, 98.4] },
  ppi: { core: 1, headlineVolatility: 2.2, start: [109.8, 108.9] },
};
/** Deviation of a first release from the final level, and the change of new seasonal factors over a year. */
const FIRST_RELEASE_NOISE = 0.0004;
const SEASONAL_REVISION_NOISE = 0.0003;
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

/** The official price indexes: actual values where a copy ships, simulated after it and for series without a copy. */
class PriceIndexes {
  readonly #seed: number;
  readonly #levels = new Map<string, number>();

  constructor(market: Market) {
    this.#seed = market.seed;
  }

  #noise(stream: number, period: string): number {
    return Math.max(-3, Math.min(3, normalAt(this.#seed, SALT + stream, monthIndex(period))));
  }

  /** Log change of a simulated month. */
  #change({ release, isCore }: UsSeries, period: string): number {
    const { core, headlineVolatility } = RELEASE_PARAMETERS[release];
    const releaseStream = release === 'cpi' ? 1 : release === 'pce' ? 2 : 3;
    const sharedNoise = this.#noise(0, period) * 0.8 + this.#noise(releaseStream, period) * 0.6;
    const carriedNoise = CORE.persistence * this.#noise(0, addMonths(period, -1));
    const coreChange = CORE.mean * core + CORE.deviation * (sharedNoise + carriedNoise);
    return isCore ? coreChange : coreChange + HEADLINE_NOISE * headlineVolatility * this.#noise(4, period);
  }

  /** The seasonally adjusted level after all revisions. */
  #finalLevel(series: UsSeries, period: string): number {
    const actual = shipped.get(series.id)?.get(period);
    if (typeof actual === 'number') return actual;
    const key = `${series.id} ${period}`;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const [vintages, core] = RELEASE_PARAMETERS[series.release].start;
    const level =
      period <= FIRST_PERIOD
        ? series.isCore
          ? core
          : vintages
        : this.#finalLevel(series, addMonths(period, -1)) * Math.exp(this.#changeOf(series, period));
    this.#levels.set(key, level);
    return level;
  }

  /** A simulated series follows an actual one of the same kind where it is known. */
  #changeOf(series: UsSeries, period: string): number {
    const proxyId = series.release === 'pce' ? (series.isCore ? 'PCEPILFE' : 'CPIAUCSL') : 'PPIFIS';
    const rows = series.isShipped ? undefined : shipped.get(proxyId);
    const [before, now] = [rows?.get(addMonths(period, -1)), rows?.get(period)];
    if (typeof before !== 'number' || typeof now !== 'number') return this.#change(series, period);
    const change = Math.log(now / before);
    if (proxyId === 'PCEPILFE') return change;
    return series.isCore ? 0.5 * change + 0.5 * CORE.mean : proxyId === 'CPIAUCSL' ? 0.8 * change : change;
  }

  #level(series: UsSeries, period: string): number {
    if (series.isAdjusted) return this.#finalLevel(series, period);
    const adjusted = US_SERIES.find(
      ({ release, isCore, isAdjusted }) => release === series.release && isCore === series.isCore && isAdjusted,
    ) as UsSeries;
    const season = SEASON[monthIndex(period) % 12] ?? 0;
    return this.#finalLevel(adjusted, period) * (1 + season * (series.isCore ? 0.5 : 1));
  }

  /** All published values of a month, oldest first; empty before its release. */
  vintages(series: UsSeries, period: string, now: number): Vintage[] {
    const { release, isAdjusted, id } = series;
    if (period < FIRST_PERIOD) return [];
    if (release === 'cpi' && period === MISSING_PERIOD) {
      const next = findRelease('cpi', addMonths(period, 1))?.at.getTime() ?? Number.POSITIVE_INFINITY;
      return next <= now ? [{ from: next, value: null }] : [];
    }
    const releasedAt = findRelease(release, period)?.at;
    if (!releasedAt || releasedAt.getTime() > now) return [];
    const finalLevel = this.#level(series, period);
    const isActual = shipped.get(id)?.has(period) ?? false;
    const at = (from: number, deviation: number): Vintage => ({ from, value: rounded(finalLevel * (1 + deviation)) });
    if (isActual || !isAdjusted) return [at(releasedAt.getTime(), 0)];
    const seriesIndex = US_SERIES.indexOf(series);
    const revision = release === 'cpi' ? SEASONAL_REVISION_NOISE : FIRST_RELEASE_NOISE;
    // Consumer prices are revised once a year with new seasonal factors, the others with the next release.
    const revisedAt =
      release === 'cpi'
        ? findRelease('cpi', `${Number(period.slice(0, 4)) + 1}-01`)?.at
        : nextRelease(release, releasedAt).at;
    const vintages = [at(releasedAt.getTime(), revision * this.#noise(10 + seriesIndex, period))];
    if (revisedAt && revisedAt > releasedAt) vintages.push(at(revisedAt.getTime(), 0));
    return vintages.filter(({ from }, i) => from <= now && (i === 0 || vintages[i]?.value !== vintages[i - 1]?.value));
  }

  /** The level as published at a given time: undefined before its release, null where there is none. */
  levelAt(series: UsSeries, period: string, now: number): number | null | undefined {
    return this.vintages(series, period, now).at(-1)?.value;
  }

  months(now: number): string[] {
    const months: string[] = [];
    const last = new Date(now).toISOString().slice(0, 7);
    for (let period = FIRST_PERIOD; period <= last; period = addMonths(period, 1)) months.push(period);
    return months;
  }

  /** The release value: percentage change from the previous month, as published by then. */
  firstRelease(series: UsSeries, period: string): number | null {
    const releasedAt = findRelease(series.release, period)?.at.getTime();
    if (releasedAt === undefined) return null;
    const [now, before] = [
      this.levelAt(series, period, releasedAt),
      this.levelAt(series, addMonths(period, -1), releasedAt),
    ];
    return now && before ? (now / before - 1) * 100 : null;
  }

  /** The consensus for a release, in tenths of a percent; now and then it misses by a tenth. */
  consensus(series: UsSeries, period: string): number | null {
    const release = this.firstRelease(series, period);
    if (release === null) return null;
    return Math.round(10 * (release + 0.08 * this.#noise(30 + US_SERIES.indexOf(series), period))) / 10;
  }

  /** The nowcast this many days before the release: it converges to the result. */
  nowcast(series: UsSeries, period: string, daysBefore: number): number | null {
    const release = this.firstRelease(series, period);
    if (release === null) return null;
    const distanceFactor = Math.min(1.5, 0.4 + daysBefore / 30);
    const drift = 0.07 * this.#noise(50 + US_SERIES.indexOf(series), period);
    const day = 0.02 * normalAt(this.#seed, SALT + 90, monthIndex(period) * 100 + Math.round(daysBefore));
    return release + distanceFactor * (drift + day);
  }
}

export const priceIndexesOf = perMarket((market) => new PriceIndexes(market));

export const usSeries = (id: string): UsSeries | undefined => US_SERIES.find((series) => series.id === id);

import { z } from 'zod';

import type { SourceClient } from '#kernel/http/http-client.ts';
import { collectSettled } from '#kernel/http/resilience.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation, ReadContext } from '../types.ts';

export const fred: SourceDescriptor = {
  id: 'fred',
  name: 'FRED',
  gives: 'Price indexes, Treasury yields, federal funds rate, broad dollar index, crude oil',
  homepage: 'https://fred.stlouisfed.org',
  licence:
    'US-government series, public domain; the S&P 500 and the VIX are copyrighted and read only with FRED_COPYRIGHTED=1',
  attribution: 'Federal Reserve Bank of St. Louis, FRED',
  key: 'none',
  options: ({ FRED_BASE_URL }) => ({ baseUrl: FRED_BASE_URL, perMinute: 60, burst: 5 }),
};

/**
 * Yields and the funds rate in percent; the dollar is the broad trade-weighted index (January 2006 = 100), not the DXY
 * of ICE; WTI crude in USD per barrel. SP500 is the S&P 500 at the close, VIXCLS the VIX.
 */
const SERIES = {
  DGS10: 'macro.us10y',
  DGS2: 'macro.us2y',
  DGS30: 'macro.us30y',
  FEDFUNDS: 'macro.fed_funds',
  DTWEXBGS: 'macro.dollar_broad',
  DCOILWTICO: 'macro.oil_wti',
  SP500: 'macro.sp500',
  VIXCLS: 'macro.vix',
} as const;
/** Owned by S&P Dow Jones Indices and Cboe. */
const COPYRIGHTED: ReadonlySet<string> = new Set(['SP500', 'VIXCLS']);
type Series = keyof typeof SERIES;

const DAY_MS = 86_400_000;
/** Monthly series are a month behind. */
const NEWEST_MS = 75 * DAY_MS;
const ROW = /^(\d{4}-\d{2}-\d{2}),(.*)$/;

/** A missing day is empty or ".": it is omitted. */
function toObservations(series: Series, csv: string): Observation[] {
  const [head = '', ...lines] = csv.trim().split(/\r?\n/);
  if (!head.toLowerCase().endsWith(`,${series.toLowerCase()}`))
    throw new SourceError('body', `FRED sent no table of ${series}`);
  return lines.flatMap((line): Observation[] => {
    const [, day, text = ''] = ROW.exec(line.trim()) ?? [];
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!day || !Number.isFinite(value)) return [];
    return [{ metric: SERIES[series], value, observedAt: new Date(`${day}T00:00:00Z`) }];
  });
}

async function seriesSince(client: SourceClient, from: Date, { config, signal }: ReadContext): Promise<Observation[]> {
  async function read(series: Series): Promise<Observation[]> {
    const query = { id: series, cosd: from.toISOString().slice(0, 10) };
    const options = { query, format: 'text', isItem: true, signal } as const;
    const { data } = await client.get('/graph/fredgraph.csv', z.string(), options);
    return toObservations(series, data);
  }
  const wanted = (Object.keys(SERIES) as Series[]).filter((each) => config.FRED_COPYRIGHTED || !COPYRIGHTED.has(each));
  const rows = await collectSettled(wanted.map(read));
  return rows.filter(({ observedAt }) => observedAt >= from);
}

/** GET /graph/fredgraph.csv: a value per day or month, dated by its period. */
export const macroSeries: MetricSource = {
  source: 'fred',
  lane: 'slow',
  everyMs: 6 * 3_600_000,
  read: (client, ask) => seriesSince(client, new Date(ask.now.getTime() - NEWEST_MS), ask),
  past: seriesSince,
};

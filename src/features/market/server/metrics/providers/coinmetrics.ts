import { z } from 'zod';

import type { SourceClient, SourceResponse } from '#kernel/http/http-client.ts';
import { collectSettled } from '#kernel/http/resilience.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import type { MetricSource, Observation, ReadContext } from '../types.ts';

export const coinmetrics: SourceDescriptor = {
  id: 'coinmetrics',
  name: 'Coin Metrics',
  gives: 'Exchange inflows and outflows, active Bitcoin and Ethereum addresses',
  homepage: 'https://coinmetrics.io',
  licence: 'Community data under CC BY-NC 4.0; commercial use requires a license',
  attribution: 'Coin Metrics',
  key: 'optional',
  keySetting: 'COINMETRICS_API_KEY',
  off: ({ COINMETRICS_LICENSED }) =>
    COINMETRICS_LICENSED ? null : 'Free data is non-commercial: set COINMETRICS_LICENSED=1 if you hold a license',
  options: ({ COINMETRICS_BASE_URL, COINMETRICS_API_KEY }) => ({
    baseUrl: COINMETRICS_BASE_URL,
    ...(COINMETRICS_API_KEY ? { query: { api_key: COINMETRICS_API_KEY } } : {}),
    perMinute: 60,
    burst: 8,
    timeoutMs: 20_000,
    parseError: (body) => {
      const { error } = (body ?? {}) as { error?: { type?: string; message?: string } };
      return error ? (error.message ?? error.type ?? 'error') : null;
    },
  }),
};

const NAMES: Readonly<Record<string, (asset: string) => string>> = {
  FlowInExNtv: (asset) => `flow.${asset}.in`,
  FlowOutExNtv: (asset) => `flow.${asset}.out`,
  AdrActCnt: (asset) => (asset === 'eth' ? 'l1.ethereum.addresses' : `addresses.${asset}.active`),
};
const MAX_PAGES = 20;

const answer = z.object({
  data: z.array(z.record(z.string(), z.string().nullable())),
  next_page_token: z.string().nullish(),
  next_page_url: z.string().nullish(),
});

/** Values are decimal strings; missing ones are absent or null. */
function toObservations(row: Record<string, string | null>): Observation[] {
  const { asset, time } = row;
  const observedAt = new Date(time ?? '');
  if (!asset || Number.isNaN(observedAt.getTime())) return [];
  return Object.entries(NAMES).flatMap(([name, metricOf]): Observation[] => {
    const text = row[name];
    if (!text || !/^\d+(\.\d+)?$/.test(text)) return [];
    return [{ metric: metricOf(asset), value: Number(text), observedAt }];
  });
}

/** GET /v4/timeseries/asset-metrics: daily values, in coins or addresses, dated at the day's start. */
async function series(client: SourceClient, assets: string, metrics: string, from: Date, { signal }: ReadContext) {
  const rows: Observation[] = [];
  const query = {
    assets,
    metrics,
    frequency: '1d',
    start_time: from.toISOString().slice(0, 10),
    paging_from: 'start',
    page_size: 1000,
  };
  let token: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data }: SourceResponse<z.output<typeof answer>> = await client.get('/v4/timeseries/asset-metrics', answer, {
      query: token === null ? query : { ...query, next_page_token: token },
      signal,
    });
    rows.push(...data.data.flatMap(toObservations));
    token = data.next_page_token ?? (data.next_page_url ? tokenIn(data.next_page_url) : null);
    if (token === null) return rows;
  }
  throw new SourceError('body', `Coin Metrics has more than ${MAX_PAGES} pages`);
}

const tokenIn = (address: string) => URL.parse(address)?.searchParams.get('next_page_token') ?? null;

const everything = (client: SourceClient, from: Date, ask: ReadContext) =>
  collectSettled([
    series(client, 'btc,eth', 'FlowInExNtv,FlowOutExNtv', from, ask),
    series(client, 'btc,eth', 'AdrActCnt', from, ask),
  ]);

export const coinmetricsFlows: MetricSource = {
  source: 'coinmetrics',
  lane: 'slow',
  everyMs: 3_600_000 - 60_000,
  read: (client, ask) => everything(client, new Date(ask.now.getTime() - 5 * 86_400_000), ask),
  past: everything,
};

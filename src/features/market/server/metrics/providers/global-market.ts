import { z } from 'zod';

import { coingeckoQuota } from '#features/market/server/market/coingecko-quota.ts';

import type { MetricSource, Observation } from '../types.ts';

const coingeckoAnswer = z.object({
  data: z.object({
    total_market_cap: z.object({ usd: z.number().nullish() }),
    total_volume: z.object({ usd: z.number().nullish() }),
    market_cap_percentage: z.object({ btc: z.number().nullish() }),
    market_cap_change_percentage_24h_usd: z.number().nullish(),
    updated_at: z.number().positive(),
  }),
});

/** Zero and negative values mean "unknown" here. */
const known = (value: number | null | undefined): value is number => typeof value === 'number' && value > 0;

/** GET /global: USD, percent of the whole market, change of the cap in percent; `updated_at` in seconds. */
export const coingeckoGlobal: MetricSource = {
  source: 'coingecko',
  lane: 'listing',
  everyMs: (config) => coingeckoQuota(config).globalMs,
  async read(client, { now, signal }) {
    const { data } = (await client.get('/global', coingeckoAnswer, { signal })).data;
    const observedAt = new Date(Math.min(now.getTime(), data.updated_at * 1000));
    const cap = data.total_market_cap.usd;
    const volume = data.total_volume.usd;
    const dominance = data.market_cap_percentage.btc;
    const change = data.market_cap_change_percentage_24h_usd;
    const rows: Observation[] = [];
    if (known(cap))
      rows.push({
        metric: 'market.cap',
        value: cap,
        observedAt,
        ...(typeof change === 'number' ? { detail: { change_24h: change } } : {}),
      });
    if (known(volume)) rows.push({ metric: 'market.volume', value: volume, observedAt });
    if (known(dominance) && dominance <= 100) rows.push({ metric: 'dominance.btc', value: dominance, observedAt });
    return rows;
  },
};

const coinpaprikaAnswer = z.object({
  market_cap_usd: z.number().nullish(),
  volume_24h_usd: z.number().nullish(),
  bitcoin_dominance_percentage: z.number().nullish(),
  market_cap_change_24h: z.number().nullish(),
  last_updated: z.number().positive(),
});

/** Zero and negative values mean "unknown" here. */

/** GET /global: USD, percent of the whole market, change of the cap in percent; `last_updated` in seconds. */
export const coinpaprikaGlobal: MetricSource = {
  source: 'coinpaprika',
  lane: 'listing',
  everyMs: 14 * 60_000,
  async read(client, { now, signal }) {
    const { data } = await client.get('/global', coinpaprikaAnswer, { signal });
    const observedAt = new Date(Math.min(now.getTime(), data.last_updated * 1000));
    const change = data.market_cap_change_24h;
    const rows: Observation[] = [];
    if (known(data.market_cap_usd))
      rows.push({
        metric: 'market.cap',
        value: data.market_cap_usd,
        observedAt,
        ...(typeof change === 'number' ? { detail: { change_24h: change } } : {}),
      });
    if (known(data.volume_24h_usd)) rows.push({ metric: 'market.volume', value: data.volume_24h_usd, observedAt });
    const dominance = data.bitcoin_dominance_percentage;
    if (known(dominance) && dominance <= 100) rows.push({ metric: 'dominance.btc', value: dominance, observedAt });
    return rows;
  },
};

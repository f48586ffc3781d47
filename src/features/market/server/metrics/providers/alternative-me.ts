import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource, Observation } from '../types.ts';

export const alternativeMe: SourceDescriptor = {
  id: 'alternative-me',
  name: 'Alternative.me',
  gives: 'Fear and greed index',
  homepage: 'https://alternative.me/crypto/fear-and-greed-index/',
  licence: 'Free to use with attribution',
  attribution: 'Fear & Greed Index by Alternative.me',
  key: 'none',
  options: ({ ALTERNATIVE_ME_BASE_URL }) => ({ baseUrl: ALTERNATIVE_ME_BASE_URL, perMinute: 30, burst: 3 }),
};

const digits = z.string().regex(/^\d+$/).transform(Number);
const answer = z.object({
  data: z.array(z.object({ value: digits, value_classification: z.string(), timestamp: digits })).min(1),
});

const toObservation = (row: z.output<typeof answer>['data'][number]): Observation[] =>
  row.value > 100
    ? []
    : [
        {
          metric: 'fear_greed',
          value: row.value,
          observedAt: new Date(row.timestamp * 1000),
          detail: { classification: row.value_classification },
        },
      ];

/** GET /fng/: one value per day, 0–100, dated 00:00 UTC; values and times are strings. */
export const fearAndGreed: MetricSource = {
  source: 'alternative-me',
  lane: 'slow',
  async read(client, { signal }) {
    const { data } = await client.get('/fng/', answer, { query: { limit: 2, format: 'json' }, signal });
    return data.data.flatMap(toObservation);
  },
  async past(client, from, { now, signal }) {
    const limit = Math.ceil((now.getTime() - from.getTime()) / 86_400_000) + 1;
    const { data } = await client.get('/fng/', answer, { query: { limit, format: 'json' }, signal });
    return data.data.flatMap(toObservation).filter(({ observedAt }) => observedAt >= from);
  },
};

import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource } from '../types.ts';
import { rpc, rpcRefusal } from './json-rpc.ts';

export const solanaRpc: SourceDescriptor = {
  id: 'solana-rpc',
  name: 'Solana RPC',
  gives: 'Solana transactions per second',
  homepage: 'https://solana.com/docs/references/clusters',
  licence: 'Public node for light use; public chain data',
  attribution: null,
  key: 'none',
  options: ({ SOLANA_RPC_BASE_URL }) => ({
    baseUrl: SOLANA_RPC_BASE_URL,
    perMinute: 20,
    burst: 3,
    refusal: rpcRefusal,
  }),
};

const SAMPLES = 10;

/** `numNonVoteTransactions` is absent on old nodes, whose total counts the validators' votes. */
const samples = z.array(
  z.object({ numNonVoteTransactions: z.number().min(0).nullish(), samplePeriodSecs: z.number().positive() }),
);

/** getRecentPerformanceSamples: a sample a minute, without votes; no time of its own. */
export const solanaNetwork: MetricSource = {
  source: 'solana-rpc',
  lane: 'slow',
  async read(client, { signal }) {
    const { data, fetchedAt } = await rpc(client, ['getRecentPerformanceSamples', [SAMPLES]], samples, signal);
    const counted = data.flatMap(({ numNonVoteTransactions: count, samplePeriodSecs: seconds }) =>
      typeof count === 'number' ? [{ count, seconds }] : [],
    );
    const seconds = counted.reduce((sum, sample) => sum + sample.seconds, 0);
    if (seconds === 0) return [];
    return [
      {
        metric: 'l1.solana.tps',
        value: counted.reduce((sum, sample) => sum + sample.count, 0) / seconds,
        observedAt: fetchedAt,
        undated: true,
        method: 'computed',
        detail: { terms: `Average over ${Math.round(seconds / 60)} min, excluding votes` },
      },
    ];
  },
};

import { z } from 'zod';

import type { SourceClient } from '#server/platform/http/http-client.ts';
import { isLoopback } from '#server/platform/http/loopback.ts';
import type { SourceDescriptor } from '#server/platform/source-set.ts';

import type { MetricSource } from '../types.ts';
import { rpc, rpcRefusal } from './json-rpc.ts';

export const suiRpc: SourceDescriptor = {
  id: 'sui-rpc',
  name: 'Sui RPC',
  gives: 'Sui transactions a second',
  homepage: 'https://docs.sui.io/references/sui-api',
  licence: 'Public node for light use; facts of a public chain',
  attribution: null,
  key: 'none',
  options: ({ SUI_RPC_BASE_URL }) => ({
    baseUrl: SUI_RPC_BASE_URL,
    perMinute: isLoopback(SUI_RPC_BASE_URL) ? 600 : 30,
    burst: 4,
    refusal: rpcRefusal,
  }),
};

/** About five minutes, at four a second. */
const CHECKPOINTS = 1200;

const digits = z.string().regex(/^\d+$/).transform(Number);
const checkpoint = z.object({ networkTotalTransactions: digits, timestampMs: digits });

type Mark = { transactions: number; at: number };

/** Transactions since genesis at two recent moments. JSON-RPC is being retired: whatever follows it, follows here. */
async function twoMarks(client: SourceClient, signal: AbortSignal): Promise<[before: Mark, latest: Mark]> {
  const { data: newest } = await rpc(client, ['sui_getLatestCheckpointSequenceNumber', []], digits, signal);
  const at = async (number: number): Promise<Mark> => {
    const { data } = await rpc(client, ['sui_getCheckpoint', [String(number)]], checkpoint, signal);
    return { transactions: data.networkTotalTransactions, at: data.timestampMs };
  };
  return Promise.all([at(newest - CHECKPOINTS), at(newest)]);
}

export const suiNetwork: MetricSource = {
  source: 'sui-rpc',
  lane: 'slow',
  async read(client, { now, signal }) {
    const [before, latest] = await twoMarks(client, signal);
    const seconds = (latest.at - before.at) / 1000;
    const counted = latest.transactions - before.transactions;
    if (seconds <= 0 || counted <= 0) return [];
    return [
      {
        metric: 'l1.sui.tps',
        value: counted / seconds,
        observedAt: new Date(Math.min(now.getTime(), latest.at)),
        method: 'computed',
        detail: { terms: `Mean over ${Math.round(seconds)} s, the system's own transactions included` },
      },
    ];
  },
};

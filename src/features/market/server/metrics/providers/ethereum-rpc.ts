import { z } from 'zod';

import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource } from '../types.ts';
import { rpc, rpcAll, rpcRefusal } from './json-rpc.ts';

export const ethereumRpc: SourceDescriptor = {
  id: 'ethereum-rpc',
  name: 'Ethereum RPC',
  gives: 'Ethereum transactions per second',
  homepage: 'https://ethereum-rpc.publicnode.com',
  licence: 'Public node for moderate use; public chain data',
  attribution: null,
  key: 'none',
  options: ({ ETHEREUM_RPC_BASE_URL }) => ({
    baseUrl: ETHEREUM_RPC_BASE_URL,
    perMinute: 60,
    burst: 6,
    timeoutMs: 20_000,
    refusal: rpcRefusal,
  }),
};

/** Five minutes of blocks, one each 12 s. */
const BLOCKS = 25;

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(Number);
const block = z.object({ number: quantity, timestamp: quantity, transactions: z.array(z.unknown()) });

/**
 * eth_getBlockByNumber and eth_getBlockTransactionCountByNumber: transactions of the newest blocks ÷ the time they took.
 * Senders are not counted: a true count reads every block of a day, and a sample of blocks cannot be scaled up to it.
 */
export const ethereumNetwork: MetricSource = {
  source: 'ethereum-rpc',
  lane: 'slow',
  async read(client, { now, signal }) {
    const { data: newest } = await rpc(client, ['eth_getBlockByNumber', ['latest', false]], block, signal);
    const first = newest.number - BLOCKS;
    const { data: before } = await rpc(client, ['eth_getBlockByNumber', [hex(first), false]], block, signal);
    const counts = await rpcAll(
      client,
      Array.from({ length: BLOCKS - 1 }, (_, i) => ['eth_getBlockTransactionCountByNumber', [hex(first + 1 + i)]]),
      quantity,
      signal,
    );
    const seconds = newest.timestamp - before.timestamp;
    if (seconds <= 0) return [];
    const counted = counts.reduce((sum, count) => sum + count, newest.transactions.length);
    return [
      {
        metric: 'l1.ethereum.tps',
        value: counted / seconds,
        observedAt: new Date(Math.min(now.getTime(), newest.timestamp * 1000)),
        method: 'computed',
        detail: { terms: `Average over ${BLOCKS} blocks, ${seconds} s` },
      },
    ];
  },
};

const hex = (number: number) => `0x${number.toString(16)}`;

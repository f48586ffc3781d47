import { z } from 'zod';

import type { SourceClient, SourceResponse } from '#kernel/http/http-client.ts';
import { SourceError } from '#kernel/http/source-error.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource } from '../types.ts';

const TOO_MANY = new Set([429, -32_005, -32_029]);

type RpcFault = { code?: number; message?: string };

/** JSON-RPC errors have HTTP status 200, for a single call or within a batch. */
function rpcRefusal(body: unknown): string | null {
  const answers = (Array.isArray(body) ? body : [body]) as ({ error?: RpcFault } | null)[];
  const fault = answers.map((answer) => answer?.error).find(Boolean);
  if (!fault) return null;
  if (TOO_MANY.has(fault.code ?? 0) || /too many|rate limit/i.test(fault.message ?? '')) return 'rate_limited';
  return fault.message ?? `code ${fault.code}`;
}

/** One call, its result validated. */
async function rpc<S extends z.ZodType>(
  client: SourceClient,
  [method, params]: [method: string, params: unknown[]],
  result: S,
  signal: AbortSignal,
): Promise<SourceResponse<z.output<S>>> {
  const { data, fetchedAt } = await client.post(
    '',
    { jsonrpc: '2.0', id: 1, method, params },
    z.object({ result: z.unknown() }),
    { signal },
  );
  return { data: parseResult(client, result, data.result), fetchedAt };
}

/** A batch of calls; results are returned in the order of the calls. */
async function rpcAll<S extends z.ZodType>(
  client: SourceClient,
  calls: [method: string, params: unknown[]][],
  result: S,
  signal: AbortSignal,
): Promise<z.output<S>[]> {
  const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
  const answers = z.array(z.object({ id: z.number(), result: z.unknown() })).length(calls.length);
  const { data } = await client.post('', body, answers, { signal });
  return data.toSorted((a, b) => a.id - b.id).map((answer) => parseResult(client, result, answer.result));
}

function parseResult<S extends z.ZodType>({ name }: SourceClient, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SourceError('body', `${name} sent an unexpected result at ${issue?.path.join('.')}: ${issue?.message}`);
}

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
    parseError: rpcRefusal,
  }),
};

/** Five minutes of blocks, at 12 s each. */
const BLOCKS = 25;

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]+$/i)
  .transform(Number);
const block = z.object({ number: quantity, timestamp: quantity, transactions: z.array(z.unknown()) });

/**
 * eth_getBlockByNumber and eth_getBlockTransactionCountByNumber: transactions of the newest blocks ÷ the time they
 * took. Senders are not counted: that would require every block of a day, and a sample cannot be scaled up.
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
    parseError: rpcRefusal,
  }),
};

const SAMPLES = 10;

/** `numNonVoteTransactions` is absent on old nodes, whose total includes validator votes. */
const samples = z.array(
  z.object({ numNonVoteTransactions: z.number().min(0).nullish(), samplePeriodSecs: z.number().positive() }),
);

/** getRecentPerformanceSamples: one sample per minute, without votes; no timestamp. */
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

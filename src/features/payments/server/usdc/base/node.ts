import { z } from 'zod';

import { errorMessage } from '#kernel/errors.ts';
import { readText } from '#kernel/http/http-client.ts';

const TIMEOUT_MS = 8_000;
const MAX_BYTES = 32 << 20;

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const hex = (pattern: RegExp) => z.string().regex(pattern).toLowerCase();
const hash = hex(/^0x[0-9a-f]{64}$/i);
const address = hex(/^0x[0-9a-f]{40}$/i);
const quantity = hex(/^0x[0-9a-f]{1,13}$/i).transform(Number);

const block = z.nullable(z.object({ number: quantity, hash, timestamp: quantity }));
const log = z.object({
  address,
  topics: z.array(hash),
  data: hex(/^0x[0-9a-f]*$/i),
  blockNumber: quantity,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
  removed: z.optional(z.boolean()),
});
const receipt = z.nullable(
  z.object({ blockHash: hash, status: quantity, logs: z.array(z.object({ logIndex: quantity, address })) }),
);

export type Block = NonNullable<z.infer<typeof block>>;
export type Log = z.infer<typeof log>;
export type Receipt = NonNullable<z.infer<typeof receipt>>;
export type Height = number | 'latest' | 'safe' | 'finalized';

/** The node rejected the request, for example because the range is too large. */
export class NodeRejectedError extends Error {}

/** One JSON-RPC endpoint of Base. Every call throws when the response is unusable. */
export type Node = {
  /** Host only: the rest of the URL often contains a key. */
  name: string;
  chainId: (signal: AbortSignal) => Promise<number>;
  /** Null when the node does not have it. */
  block: (at: Height, signal: AbortSignal) => Promise<Block | null>;
  /** Transfers of any token to these addresses, or of `token` alone. */
  transfers: (
    wanted: { from: number; to: number; routes: readonly string[]; token?: string },
    signal: AbortSignal,
  ) => Promise<Log[]>;
  receipt: (tx: string, signal: AbortSignal) => Promise<Receipt | null>;
};

const answer = z.object({
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ message: z.string() })),
});
const toQuantity = (value: number) => `0x${value.toString(16)}`;
const toAbiWord = (route: string) => `0x${route.slice(2).toLowerCase().padStart(64, '0')}`;
const IS_BUSY = /rate.?limit|too many requests|capacity|quota|per second/i;

export function openNode(url: string): Node {
  const name = new URL(url).host;

  async function send(body: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.any([limit, signal]),
      });
      return { status: response.status, text: await readText(response, name, MAX_BYTES) };
    } catch (error) {
      signal.throwIfAborted();
      if (limit.aborted) throw new Error(`${name} did not respond within ${TIMEOUT_MS / 1000} s`, { cause: error });
      const cause = error instanceof Error && error.cause ? `: ${errorMessage(error.cause)}` : '';
      throw new Error(`${name} is unreachable${cause}`, { cause: error });
    }
  }

  async function call<S extends z.ZodType>(
    method: string,
    params: readonly unknown[],
    schema: S,
    signal: AbortSignal,
  ): Promise<z.output<S>> {
    const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), signal);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (cause) {
      throw new Error(`${name} responded with ${status} and invalid JSON`, { cause });
    }
    const parsed = answer.safeParse(body);
    if (!parsed.success) throw new Error(`${name} responded with ${status} to ${method} in an unexpected format`);
    const { result, error } = parsed.data;
    if (error) {
      const words = `${name} refused ${method}: ${error.message.slice(0, 200)}`;
      throw status === 429 || status >= 500 || IS_BUSY.test(error.message)
        ? new Error(words)
        : new NodeRejectedError(words);
    }
    if (status !== 200) throw new Error(`${name} answered ${status}`);
    const value = schema.safeParse(result);
    if (value.success) return value.data;
    const issue = value.error.issues[0];
    throw new Error(`${name} responded to ${method} in an unexpected format at ${issue?.path.join('.') ?? ''}`);
  }

  return {
    name,
    chainId: (signal) => call('eth_chainId', [], quantity, signal),
    block: (at, signal) =>
      call('eth_getBlockByNumber', [typeof at === 'number' ? toQuantity(at) : at, false], block, signal),
    transfers: ({ from, to, routes, token }, signal) =>
      call(
        'eth_getLogs',
        [
          {
            fromBlock: toQuantity(from),
            toBlock: toQuantity(to),
            topics: [TRANSFER, null, routes.map(toAbiWord)],
            ...(token ? { address: token } : {}),
          },
        ],
        z.array(log),
        signal,
      ),
    receipt: (tx, signal) => call('eth_getTransactionReceipt', [tx], receipt, signal),
  };
}

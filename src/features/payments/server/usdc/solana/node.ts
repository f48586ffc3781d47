import { z } from 'zod/mini';

import { errorMessage } from '#kernel/errors.ts';

/** One Solana node. */
export type SolanaNode = {
  /**
   * Throws when it does not respond in time, responds with an error, or with something other than the shape of
   * `result`.
   */
  call: <T extends z.ZodMiniType>(method: string, params: readonly unknown[], result: T) => Promise<z.output<T>>;
};

/** The node responded with something this version of the product cannot read. */
export class UnreadableError extends Error {}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const CALL_MS = 10_000;
/** JSON-RPC: the transaction is of a later version than the caller reads. */
const UNSUPPORTED_VERSION = -32_015;

const answer = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

function openNode(url: string, signal: AbortSignal): SolanaNode {
  return {
    async call(method, params, result) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
      });
      if (!response.ok) throw new Error(`${method} returned ${response.status}`);
      const body = answer.parse(await response.json());
      if ('error' in body) {
        const { code, message } = body.error;
        const Failure = code === UNSUPPORTED_VERSION ? UnreadableError : Error;
        throw new Failure(`${method}: ${message} (${code})`);
      }
      const read = result.safeParse(body.result);
      if (!read.success) throw new UnreadableError(`${method}: ${read.error.message}`, { cause: read.error });
      return read.data;
    },
  };
}

/** Node URLs may contain keys: only the host is named. */
const hostName = (url: string): string => new URL(url).host;

/** Uses one node, after checking that it is on mainnet. */
export async function callNode<T>(
  url: string,
  signal: AbortSignal,
  work: (node: SolanaNode) => Promise<T>,
): Promise<T> {
  const node = openNode(url, signal);
  const genesis = await node.call('getGenesisHash', [], z.string());
  if (genesis !== MAINNET) throw new Error(`This is not Solana mainnet: its first block is ${genesis}`);
  return work(node);
}

/**
 * Runs the whole of `work` on the first working node, in order of preference, so that one look never mixes the views of
 * two nodes; `others` are the remaining addresses.
 */
export async function withNode<T>(
  urls: readonly string[],
  signal: AbortSignal,
  work: (node: SolanaNode, others: readonly string[]) => Promise<T>,
): Promise<T> {
  const failures: string[] = [];
  for (const url of urls) {
    signal.throwIfAborted();
    try {
      const others = urls.filter((each) => each !== url);
      return await callNode(url, signal, (node) => work(node, others));
    } catch (error) {
      failures.push(`${hostName(url)}: ${errorMessage(error)}`);
    }
  }
  signal.throwIfAborted();
  throw new Error(`No Solana node is readable: ${failures.join(' · ')}`);
}

export type Commitment = 'confirmed' | 'finalized';

const MOST_STATUSES = 256;
const slot = z.int();

const statuses = z.object({
  value: z.array(z.nullable(z.object({ err: z.unknown(), confirmationStatus: z.nullish(z.string()) }))),
});
export type Status = z.output<typeof statuses>['value'][number];

export const getSlot = (node: SolanaNode, commitment: Commitment): Promise<number> =>
  node.call('getSlot', [{ commitment }], slot);

/** First slot in the node's history. */
export const getFirstSlot = (node: SolanaNode): Promise<number> => node.call('getFirstAvailableBlock', [], slot);

export const hasFailed = (err: unknown): boolean => err !== null && err !== undefined;

/** Status of each transaction; null when the node does not know it. */
export async function readStatuses(node: SolanaNode, txs: readonly string[]): Promise<Status[]> {
  const all: Status[] = [];
  for (let i = 0; i < txs.length; i += MOST_STATUSES) {
    const some = txs.slice(i, i + MOST_STATUSES);
    const { value } = await node.call('getSignatureStatuses', [some, { searchTransactionHistory: true }], statuses);
    if (value.length !== some.length)
      throw new Error(`${some.length} transactions were requested, not ${value.length}`);
    all.push(...value);
  }
  return all;
}

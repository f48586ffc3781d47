import { z } from 'zod';

import type { Config } from '#kernel/config.ts';
import type { SourceClient, SourceOptions } from '#kernel/http/http-client.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';

import type { MetricSource } from '../types.ts';

const refused = z.object({
  errors: z.array(z.object({ message: z.string(), extensions: z.looseObject({ code: z.string() }).nullish() })).min(1),
});

/** GraphQL errors have HTTP status 200. */
function refusal(body: unknown): string | null {
  const [error] = refused.safeParse(body).data?.errors ?? [];
  if (!error) return null;
  return /rate|too many/i.test(`${error.extensions?.code} ${error.message}`) ? 'rate_limited' : error.message;
}

const optionsFor = (baseUrl: string): Omit<SourceOptions, 'name'> => ({
  baseUrl,
  perMinute: 30,
  burst: 4,
  parseError: refusal,
});

const ABOUT = {
  gives: 'Sui transactions per second',
  homepage: 'https://docs.sui.io/develop/accessing-data/graphql/graphql-rpc',
  attribution: null,
} as const;

export const suiGraphql: SourceDescriptor = {
  ...ABOUT,
  id: 'sui-graphql',
  name: 'Sui GraphQL',
  licence: 'Public Sui Foundation service for light use; public chain data',
  key: 'none',
  options: ({ SUI_GRAPHQL_BASE_URL }) => optionsFor(SUI_GRAPHQL_BASE_URL),
};

const fallbackUrl = ({ SUI_GRAPHQL_FALLBACK_URL, SUI_GRAPHQL_BASE_URL }: Config) =>
  SUI_GRAPHQL_FALLBACK_URL || SUI_GRAPHQL_BASE_URL;

/** No second public endpoint is available without an account: an operator configures one. */
export const suiFallback: SourceDescriptor = {
  ...ABOUT,
  id: 'sui-fallback',
  name: 'Sui fallback',
  licence: 'Terms of the operator’s chosen provider; public chain data',
  key: 'required',
  keySetting: 'SUI_GRAPHQL_FALLBACK_URL',
  off: ({ SUI_GRAPHQL_FALLBACK_URL }) => (SUI_GRAPHQL_FALLBACK_URL ? null : 'SUI_GRAPHQL_FALLBACK_URL is not set'),
  options: (config) => optionsFor(fallbackUrl(config)),
};

/** About five minutes, at four per second. */
const CHECKPOINTS = 1200;

/** Without a number, the latest. */
const QUERY =
  'query ($number: UInt53) { checkpoint(sequenceNumber: $number) { sequenceNumber timestamp networkTotalTransactions } }';

const answer = z.object({
  data: z.object({
    checkpoint: z.object({
      sequenceNumber: z.number().int(),
      timestamp: z.iso.datetime({ offset: true }),
      networkTotalTransactions: z.number().int(),
    }),
  }),
});

async function readCheckpoint(client: SourceClient, signal: AbortSignal, number: number | null) {
  const { data } = await client.post('', { query: QUERY, variables: { number } }, answer, { signal });
  const { sequenceNumber, timestamp, networkTotalTransactions: transactions } = data.data.checkpoint;
  return { number: sequenceNumber, transactions, at: Date.parse(timestamp) };
}

/** Transactions since genesis at two recent checkpoints. */
const createNetworkSource = (source: string): MetricSource => ({
  source,
  lane: 'slow',
  async read(client, { now, signal }) {
    const latest = await readCheckpoint(client, signal, null);
    const before = await readCheckpoint(client, signal, latest.number - CHECKPOINTS);
    const seconds = (latest.at - before.at) / 1000;
    const counted = latest.transactions - before.transactions;
    if (seconds <= 0 || counted <= 0) return [];
    return [
      {
        metric: 'l1.sui.tps',
        value: counted / seconds,
        observedAt: new Date(Math.min(now.getTime(), latest.at)),
        method: 'computed',
        detail: { terms: `Average over ${Math.round(seconds)} s, including system transactions` },
      },
    ];
  },
});

export const suiNetwork = createNetworkSource(suiGraphql.id);
export const suiFallbackNetwork = createNetworkSource(suiFallback.id);

import type { Market } from '#sandbox/market/market.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import { activityAt, suiCheckpointsOf } from '../market/activity.ts';
import { fraction } from '../market/random.ts';
import { fearAndGreed } from '../market/signals.ts';
import { DAY, MARKET_START, MINUTE, PARAMETERS } from '../market/time.ts';
import { cftc, sec } from './agencies.ts';
import { baseChain, baseWallet } from './base-chain.ts';
import { bea } from './bea.ts';
import { binanceFutures } from './binance-futures.ts';
import { blockchainCharts, blockchainInfo } from './blockchain.ts';
import { bls } from './bls.ts';
import { bybit } from './bybit.ts';
import { clevelandFed } from './cleveland-fed.ts';
import { coinbase } from './coinbase.ts';
import { coingecko } from './coingecko.ts';
import { coinmetrics } from './coinmetrics.ts';
import { coinpaprika } from './coinpaprika.ts';
import { deribit } from './deribit.ts';
import { ethereum } from './ethereum.ts';
import { coinmarketcal, finnhub } from './event-lists.ts';
import { faireconomy } from './faireconomy.ts';
import { federalReserve } from './federal-reserve.ts';
import { fred, fredApi } from './fred.ts';
import { groq } from './groq.ts';
import { huggingface } from './huggingface.ts';
import { hyperliquid } from './hyperliquid.ts';
import { RpcError, rpcProvider } from './json-rpc.ts';
import { krakenFutures } from './kraken-futures.ts';
import { llama } from './llama.ts';
import { mempool } from './mempool.ts';
import { okx } from './okx.ts';
import { push } from './push.ts';
import { beaSchedule, blsSchedule } from './release-schedules.ts';
import { solanaPay } from './solana-pay.ts';
import { solanaWallet } from './solana-wallet.ts';
import { stablecoinsLlama } from './stablecoins-llama.ts';
import { stripe } from './stripe.ts';
import { telegram } from './telegram.ts';
import { venice } from './venice.ts';
import { xrpl } from './xrpl.ts';

/** Highest value of each class, as observed. */
const CLASSES = [
  [25, 'Extreme Fear'],
  [46, 'Fear'],
  [54, 'Neutral'],
  [75, 'Greed'],
  [100, 'Extreme Greed'],
] as const;

function classify(value: number): string {
  return CLASSES.find(([upper]) => value <= upper)?.[1] ?? 'Extreme Greed';
}

/** Newest first; a limit of 0 returns every day available. */
function fearGreedIndex(market: Market, { query, now }: Call) {
  const today = Math.floor(now / DAY);
  const first = MARKET_START / DAY;
  const limit = Number(query.get('limit') ?? 1);
  const count = Math.min(today - first + 1, limit > 0 ? Math.floor(limit) : Number.POSITIVE_INFINITY);
  return {
    name: 'Fear and Greed Index',
    data: Array.from({ length: Math.max(0, count) }, (_, i) => {
      const day = today - i;
      const value = fearAndGreed(market, day);
      return {
        value: String(value),
        value_classification: classify(value),
        timestamp: String((day * DAY) / 1000),
        ...(i === 0 ? { time_until_update: String(Math.ceil(((today + 1) * DAY - now) / 1000)) } : {}),
      };
    }),
    metadata: { error: null },
  };
}

function alternativeMe(market: Market): Provider {
  const handle = (call: Call) => ({ body: fearGreedIndex(market, call) });
  return {
    id: 'alternative-me',
    base: '/alternative-me',
    env: { ALTERNATIVE_ME_BASE_URL: { scheme: 'http', path: '/alternative-me' } },
    routes: [
      { path: '/fng/', handle },
      { path: '/fng', handle },
    ],
    notFound: { status: 404, body: { name: '', data: [], metadata: { error: 'Not found' } } },
    rateLimited: { name: 'Fear and Greed Index', data: [], metadata: { error: 'Too many requests' } },
    serverError: { name: 'Fear and Greed Index', data: [], metadata: { error: 'Internal error' } },
    withNulls: (_path, body) => ({ ...(body as object), data: null }),
  };
}

type GraphqlRequest = { query?: unknown; variables?: { number?: unknown } };
type CheckpointReply = { data: { checkpoint: object | null } };

const graphqlError = (message: string, code: string) => ({ data: null, errors: [{ message, extensions: { code } }] });

/** Only one query is supported: a checkpoint by its number, or the latest one. */
function handleGraphql(market: Market, { json, now }: Call): Reply {
  const { query, variables } = (json ?? {}) as GraphqlRequest;
  if (typeof query !== 'string' || !/checkpoint\s*\(/.test(query))
    return { body: graphqlError('Unknown field', 'GRAPHQL_VALIDATION_FAILED') };
  const checkpoints = suiCheckpointsOf(market);
  const latest = checkpoints.latestAt(now);
  const number = typeof variables?.number === 'number' ? variables.number : latest;
  if (number < 1 || number > latest) return { body: { data: { checkpoint: null } } };
  const checkpoint = {
    sequenceNumber: number,
    timestamp: new Date(checkpoints.timeOf(number)).toISOString(),
    networkTotalTransactions: checkpoints.totalAt(number),
  };
  return { body: { data: { checkpoint } } };
}

/** Sui GraphQL RPC. */
function sui(market: Market): Provider {
  return {
    id: 'sui',
    base: '/sui',
    env: { SUI_GRAPHQL_BASE_URL: { scheme: 'http', path: '/sui/graphql' } },
    routes: [{ path: '/graphql', handle: (call) => handleGraphql(market, call) }],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: graphqlError('Too many requests', 'RATE_LIMITED'),
    serverError: graphqlError('Internal error', 'INTERNAL_SERVER_ERROR'),
    withNulls: (_path, body) => ({
      data: { checkpoint: { ...(body as CheckpointReply).data.checkpoint, networkTotalTransactions: null } },
    }),
  };
}

const [FIRST_SLOT, SLOT_MS, SALT] = [20_000_000, 395, 0x736f];
const MAX_SAMPLES = 720;
/** Vote transactions of each slot. */
const VOTES_PER_SLOT = 1040;

const slotAt = (ms: number) => FIRST_SLOT + Math.floor((ms - MARKET_START) / SLOT_MS);

function sample(market: Market, minute: number) {
  const [from, to] = [minute * MINUTE, (minute + 1) * MINUTE];
  const noise = 0.94 + 0.12 * fraction(market.seed, SALT, minute);
  const numSlots = slotAt(to) - slotAt(from);
  const nonVote = Math.round(PARAMETERS.activity.solanaSecond * 60 * activityAt(market, 'solana', from) * noise);
  return {
    numNonVoteTransactions: nonVote,
    numSlots,
    numTransactions: nonVote + numSlots * VOTES_PER_SLOT,
    samplePeriodSecs: 60,
    slot: slotAt(to),
  };
}

const solana = (market: Market): Provider =>
  rpcProvider('solana', 'SOLANA', {
    getHealth: () => 'ok',
    getSlot: (_params, now) => slotAt(now),
    getRecentPerformanceSamples: ([limit = MAX_SAMPLES], now) => {
      if (typeof limit !== 'number' || limit < 0) throw new RpcError(-32_602, 'Invalid params: invalid type');
      if (limit > MAX_SAMPLES) throw new RpcError(-32_602, `Invalid limit; max ${MAX_SAMPLES}`);
      const last = Math.floor(now / MINUTE) - 1;
      return Array.from({ length: limit }, (_, i) => sample(market, last - i));
    },
  });

/** Every provider the sandbox simulates: one file each, registered only here. */
export const PROVIDERS: readonly ((market: Market) => Provider)[] = [
  coingecko,
  coinpaprika,
  okx,
  coinbase,
  alternativeMe,
  stablecoinsLlama,
  llama,
  bybit,
  binanceFutures,
  deribit,
  krakenFutures,
  hyperliquid,
  mempool,
  blockchainCharts,
  blockchainInfo,
  ethereum,
  solana,
  sui,
  xrpl,
  coinmetrics,
  fred,
  fredApi,
  bls,
  bea,
  clevelandFed,
  federalReserve,
  blsSchedule,
  beaSchedule,
  sec,
  cftc,
  finnhub,
  coinmarketcal,
  faireconomy,
  venice,
  groq,
  huggingface,
  telegram,
  push,
  solanaPay,
  solanaWallet,
  baseChain,
  baseWallet,
  stripe,
];

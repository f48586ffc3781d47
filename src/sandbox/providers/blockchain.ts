import { addressesOn, type Block, bitcoinChainOf, hashRateOn } from '#sandbox/market/bitcoin-chain.ts';
import type { Transaction, TransactionAmount } from '#sandbox/market/bitcoin-transactions.ts';
import type { Market } from '#sandbox/market/market.ts';
import { DAY, MARKET_START } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

import { contents } from './mempool.ts';

const UNITS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const seconds = (ms: number) => Math.floor(ms / 1000);

/** Days of a span such as '30days', '1year', '5weeks' or 'all'. */
function daysOf(timespan: string): number {
  if (timespan === 'all') return Number.POSITIVE_INFINITY;
  const [, count = '', unit = ''] = /^(\d+)(day|week|month|year)s?$/.exec(timespan) ?? [];
  const days = Number(count) * (UNITS[unit] ?? 0);
  if (!(days > 0)) throw new ReplyError({ status: 400, body: { status: 'error', error: 'Invalid timespan' } });
  return days;
}

/** Current network statistics, hash rate in GH/s and time in milliseconds. */
function networkStats(market: Market, { now }: Call) {
  const chain = bitcoinChainOf(market);
  const height = chain.heightAt(now);
  return {
    market_price_usd: market.priceAt('bitcoin', now),
    hash_rate: hashRateOn(market, now / DAY) / 1e9,
    n_blocks_mined: height - chain.heightAt(now - DAY),
    minutes_between_blocks: 1440 / Math.max(1, height - chain.heightAt(now - DAY)),
    n_blocks_total: height,
    difficulty: chain.epochAt(now).difficulty,
    timestamp: Math.floor(now),
  };
}

/** One value per day, oldest first, up to yesterday. */
function uniqueAddresses(market: Market, { query, now }: Call) {
  const days = daysOf(query.get('timespan') ?? '1year');
  const last = Math.floor(now / DAY) - 1;
  const first = Math.max(MARKET_START / DAY, last - days + 1);
  return {
    status: 'ok',
    name: 'Unique Addresses Used',
    unit: 'Addresses',
    period: 'day',
    description: 'The total number of unique addresses used on the Bitcoin blockchain.',
    values: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({
      x: ((first + i) * DAY) / 1000,
      y: addressesOn(market, first + i),
    })),
  };
}

const indexOf = (id: string, salt = 0) => Number.parseInt(id.slice(salt, salt + 12), 16);

function place({ address, script, satoshi }: TransactionAmount, n: number, index: number, spent: boolean) {
  return { type: 0, spent, value: satoshi, spending_outpoints: [], n, tx_index: index, script, addr: address };
}

function transactionRow({ id, inputs, outputs, fee, size }: Transaction, block: Block) {
  const index = indexOf(id);
  const reward = [{ sequence: 4_294_967_295, witness: '', script: '03', index: 0, prev_out: null }];
  return {
    hash: id,
    ver: 2,
    vin_sz: Math.max(1, inputs.length),
    vout_sz: outputs.length,
    size,
    weight: size * 4 - 330,
    fee,
    relayed_by: '0.0.0.0',
    lock_time: 0,
    tx_index: index,
    double_spend: false,
    time: seconds(block.at),
    block_index: block.height,
    block_height: block.height,
    inputs:
      inputs.length === 0
        ? reward
        : inputs.map((coins, i) => ({
            sequence: 4_294_967_293,
            witness: '',
            script: '',
            index: i,
            prev_out: place(coins, i, indexOf(id, 12), true),
          })),
    out: outputs.map((coins, i) => place(coins, i, index, false)),
  };
}

function rawBlock(market: Market, block: Block) {
  const tx = contents(market, block).map((row) => transactionRow(row, block));
  return {
    hash: block.hash,
    ver: 536_870_912,
    prev_block: block.previous,
    mrkl_root: `${block.hash.slice(20)}${block.hash.slice(20, 40)}`,
    time: seconds(block.at),
    bits: 386_038_124,
    next_block: [],
    fee: tx.reduce((sum, row) => sum + row.fee, 0),
    nonce: indexOf(block.hash, 24) % 4_294_967_296,
    n_tx: tx.length,
    size: block.transactions * 520,
    block_index: block.height,
    main_chain: true,
    height: block.height,
    weight: 3_993_275,
    tx,
  };
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function blockchainCharts(market: Market): Provider {
  return {
    id: 'blockchain-charts',
    base: '/blockchain-charts',
    env: { BLOCKCHAIN_CHARTS_BASE_URL: { scheme: 'http', path: '/blockchain-charts' } },
    routes: [
      { path: '/charts/n-unique-addresses', handle: (call) => ({ body: uniqueAddresses(market, call) }) },
      { path: '/stats', handle: (call) => ({ body: networkStats(market, call) }) },
    ],
    notFound: { status: 404, body: { status: 'not-found', error: 'not found' } },
    rateLimited: { status: 'error', error: 'Too many requests' },
    serverError: { status: 'error', error: 'Internal error' },
    withNulls: (path, body) => ({ ...(body as object), ...(path === '/stats' ? { hash_rate: null } : { values: [] }) }),
  };
}

export function blockchainInfo(market: Market): Provider {
  const chain = bitcoinChainOf(market);
  const textOf = (block: Block) => JSON.stringify(rawBlock(market, block));
  const missing = () =>
    new ReplyError({ status: 404, body: { error: 'not-found-or-invalid-arg', message: 'Block not found' } });
  return {
    id: 'blockchain-info',
    base: '/blockchain-info',
    env: { BLOCKCHAIN_INFO_BASE_URL: { scheme: 'http', path: '/blockchain-info' } },
    routes: [
      {
        path: '/latestblock',
        handle: ({ now }) => {
          const { hash, at, height } = chain.block(chain.heightAt(now));
          return { body: { hash, time: seconds(at), block_index: height, height, txIndexes: [] } };
        },
      },
      {
        path: '/rawblock/:hash',
        handle: ({ params, now }) => {
          const block = chain.find(params['hash'] ?? '', now);
          if (!block) throw missing();
          return { body: textOf(block), headers: JSON_TYPE };
        },
      },
      {
        path: '/block-height/:height',
        handle: ({ params, now }) => {
          const height = Number(params['height']);
          if (!(height > 0) || height > chain.heightAt(now)) throw missing();
          return { body: `{"blocks":[${textOf(chain.block(height))}]}`, headers: JSON_TYPE };
        },
      },
    ],
    notFound: { status: 404, body: { error: 'not-found-or-invalid-arg', message: 'Not Found' } },
    rateLimited: { error: 'too-many-requests', message: 'Too many requests' },
    serverError: { error: 'internal-server-error', message: 'Internal Server Error' },
    withNulls: (path, body) => (path === '/latestblock' ? { ...(body as object), txIndexes: null } : body),
  };
}

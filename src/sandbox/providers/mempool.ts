import { type Block, bitcoinChainOf, EPOCH_BLOCKS, feeAt, hashRateOn } from '#sandbox/market/bitcoin-chain.ts';
import { type Transaction, type TransactionAmount, transactionsOf } from '#sandbox/market/bitcoin-transactions.ts';
import type { Market } from '#sandbox/market/market.ts';
import { perMarket } from '#sandbox/market/signals.ts';
import { DAY, item, LruCache, MARKET_START, MINUTE } from '#sandbox/market/time.ts';
import { type Call, type Provider, ReplyError } from '#sandbox/provider.ts';

const PERIODS: Readonly<Record<string, number>> = {
  '24h': 1,
  '3d': 3,
  '1w': 7,
  '1m': 30,
  '3m': 90,
  '6m': 182,
  '1y': 365,
  '2y': 730,
  '3y': 1095,
  all: 36_500,
};
const BLOCKS_PER_PAGE = 15;
const TRANSACTIONS_PER_PAGE = 25;
const POOLS = ['Foundry USA', 'AntPool', 'ViaBTC', 'F2Pool', 'MARA Pool'];

/** The last few blocks with their transactions. */
const contentsOf = perMarket(() => new LruCache<readonly Transaction[]>(2));

export function contents(market: Market, block: Block): readonly Transaction[] {
  return contentsOf(market).get(block.height, () => transactionsOf(market, block, feeAt(market, block.at)));
}

const seconds = (ms: number) => Math.floor(ms / 1000);

function hashRate(market: Market, { params, now }: Call) {
  const days = PERIODS[params['period'] ?? 'all'];
  if (days === undefined) throw new ReplyError({ status: 400, body: 'Invalid interval' });
  const chain = bitcoinChainOf(market);
  const today = Math.floor(now / DAY);
  const first = Math.max(MARKET_START / DAY, today - days + 1);
  const current = chain.epochAt(now);
  const epochs = [];
  for (let n = chain.epochAt(first * DAY).number; n <= current.number; n++) epochs.push(chain.epoch(n));
  return {
    hashrates: Array.from({ length: today - first + 1 }, (_, i) => ({
      timestamp: ((first + i) * DAY) / 1000,
      avgHashrate: hashRateOn(market, first + i),
    })),
    difficulty: epochs.map(({ number, start, difficulty }) => ({
      time: seconds(start),
      timestamp: seconds(start),
      height: number * EPOCH_BLOCKS,
      difficulty,
      adjustment: Number((difficulty / chain.epoch(number - 1).difficulty).toFixed(6)),
    })),
    currentHashrate: hashRateOn(market, now / DAY),
    currentDifficulty: current.difficulty,
  };
}

function adjustment(market: Market, now: number) {
  const chain = bitcoinChainOf(market);
  const height = chain.heightAt(now);
  const number = Math.floor(height / EPOCH_BLOCKS);
  const { difficulty } = chain.epoch(number);
  const inEpoch = height % EPOCH_BLOCKS;
  const since = chain.timeOf(number * EPOCH_BLOCKS);
  const timeAvg = inEpoch > 0 ? Math.floor((chain.timeOf(height) - since) / inEpoch) : 10 * MINUTE;
  const remaining = EPOCH_BLOCKS - inEpoch;
  const remainingTime = remaining * timeAvg;
  return {
    progressPercent: (100 * inEpoch) / EPOCH_BLOCKS,
    difficultyChange: 100 * ((10 * MINUTE) / timeAvg - 1),
    estimatedRetargetDate: Math.floor(now) + remainingTime,
    remainingBlocks: remaining,
    remainingTime,
    previousRetarget: 100 * (difficulty / chain.epoch(number - 1).difficulty - 1),
    previousTime: seconds(since),
    nextRetargetHeight: (number + 1) * EPOCH_BLOCKS,
    timeAvg,
    adjustedTimeAvg: timeAvg,
    timeOffset: 0,
    expectedBlocks: (now - since) / (10 * MINUTE),
  };
}

function fees(market: Market, now: number) {
  const fastest = feeAt(market, now);
  const whole = (part: number) => Math.max(1, Math.round(fastest * part));
  return {
    fastestFee: whole(1),
    halfHourFee: whole(0.85),
    hourFee: whole(0.7),
    economyFee: whole(0.4),
    minimumFee: 1,
  };
}

function blockRow(market: Market, block: Block) {
  const { height, at, hash, previous, difficulty, transactions } = block;
  const fee = feeAt(market, at);
  const totalFees = Math.round(transactions * 210 * fee);
  return {
    id: hash,
    height,
    version: 536_870_912,
    timestamp: seconds(at),
    bits: 386_038_124,
    nonce: Number.parseInt(hash.slice(24, 32), 16),
    difficulty,
    merkle_root: `${hash.slice(20)}${hash.slice(20, 40)}`,
    tx_count: transactions,
    size: transactions * 520,
    weight: 3_993_275,
    previousblockhash: previous,
    mediantime: seconds(at - 50 * MINUTE),
    stale: false,
    extras: {
      reward: 312_500_000 + totalFees,
      coinbaseRaw: '03',
      orphans: [],
      medianFee: fee,
      feeRange: [1, 0.5, 0.7, 0.9, 1, 1.6, 22].map((part, i) => (i === 0 ? 1 : fee * part)),
      totalFees,
      avgFee: Math.round(totalFees / transactions),
      avgFeeRate: Math.round(fee),
      utxoSetChange: -310,
      avgTxSize: 520,
      totalInputs: transactions,
      totalOutputs: transactions * 2 - 1,
      totalOutputAmt: transactions * 64_000_000,
      pool: {
        id: height % 5,
        name: item(POOLS, height % 5),
        slug: item(POOLS, height % 5)
          .toLowerCase()
          .replaceAll(' ', ''),
        minerNames: null,
      },
    },
  };
}

function output({ address, script, satoshi }: TransactionAmount) {
  const isScriptHash = script.startsWith('a9');
  const program = isScriptHash ? script.slice(4, 44) : script.slice(4);
  return {
    scriptpubkey: script,
    scriptpubkey_asm: isScriptHash
      ? `OP_HASH160 OP_PUSHBYTES_20 ${program} OP_EQUAL`
      : `OP_0 OP_PUSHBYTES_20 ${program}`,
    scriptpubkey_type: isScriptHash ? 'p2sh' : 'v0_p2wpkh',
    scriptpubkey_address: address,
    value: satoshi,
  };
}

function transaction({ id, inputs, outputs, fee, size }: Transaction, block: Block) {
  const isReward = inputs.length === 0;
  const vin = isReward
    ? [
        {
          txid: '0'.repeat(64),
          vout: 4_294_967_295,
          prevout: null,
          scriptsig: '03',
          scriptsig_asm: '03',
          is_coinbase: true,
          sequence: 4_294_967_295,
        },
      ]
    : inputs.map((coins, i) => ({
        txid: `${id.slice(32)}${id.slice(0, 32)}`,
        vout: i,
        prevout: output(coins),
        scriptsig: '',
        scriptsig_asm: '',
        is_coinbase: false,
        sequence: 4_294_967_293,
      }));
  return {
    txid: id,
    version: 2,
    locktime: 0,
    vin,
    vout: outputs.map(output),
    size,
    weight: size * 4 - 330,
    sigops: 1,
    fee,
    status: { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: seconds(block.at) },
  };
}

function transactions(market: Market, { params, now }: Call) {
  const block = bitcoinChainOf(market).find(params['hash'] ?? '', now);
  if (!block) throw new ReplyError({ status: 404, body: 'Block not found' });
  const start = Number(params['start'] ?? 0);
  if (start % TRANSACTIONS_PER_PAGE !== 0) {
    throw new ReplyError({ status: 400, body: `start index must be a multipication of ${TRANSACTIONS_PER_PAGE}` });
  }
  const rows = contents(market, block).slice(start, start + TRANSACTIONS_PER_PAGE);
  if (rows.length === 0) throw new ReplyError({ status: 400, body: 'start index out of range' });
  return rows.map((row) => transaction(row, block));
}

function blocks(market: Market, { params, now }: Call) {
  const chain = bitcoinChainOf(market);
  const top = Math.min(chain.heightAt(now), Number(params['height'] ?? Number.POSITIVE_INFINITY));
  return Array.from({ length: BLOCKS_PER_PAGE }, (_, i) => blockRow(market, chain.block(top - i)));
}

export function mempool(market: Market): Provider {
  return {
    id: 'mempool',
    base: '/mempool',
    env: { MEMPOOL_BASE_URL: { scheme: 'http', path: '/mempool' } },
    routes: [
      { path: '/api/v1/mining/hashrate', handle: (call) => ({ body: hashRate(market, call) }) },
      { path: '/api/v1/mining/hashrate/:period', handle: (call) => ({ body: hashRate(market, call) }) },
      { path: '/api/v1/difficulty-adjustment', handle: ({ now }) => ({ body: adjustment(market, now) }) },
      { path: '/api/v1/fees/recommended', handle: ({ now }) => ({ body: fees(market, now) }) },
      { path: '/api/blocks/tip/height', handle: ({ now }) => ({ body: String(bitcoinChainOf(market).heightAt(now)) }) },
      {
        path: '/api/blocks/tip/hash',
        handle: ({ now }) => ({ body: bitcoinChainOf(market).block(bitcoinChainOf(market).heightAt(now)).hash }),
      },
      { path: '/api/v1/blocks', handle: (call) => ({ body: blocks(market, call) }) },
      { path: '/api/v1/blocks/:height', handle: (call) => ({ body: blocks(market, call) }) },
      { path: '/api/block/:hash/txs', handle: (call) => ({ body: transactions(market, call) }) },
      { path: '/api/block/:hash/txs/:start', handle: (call) => ({ body: transactions(market, call) }) },
    ],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: 'Too Many Requests',
    serverError: 'Service Unavailable',
    withNulls: (path, body) =>
      path.startsWith('/api/v1/mining/hashrate') ? { ...(body as object), currentHashrate: null } : body,
  };
}

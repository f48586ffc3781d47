import { activityAt } from '#sandbox/market/activity.ts';
import type { Market } from '#sandbox/market/market.ts';
import { fraction, Noise } from '#sandbox/market/random.ts';
import { DAY, LruCache, PARAMETERS } from '#sandbox/market/time.ts';
import type { Provider } from '#sandbox/provider.ts';

import { RpcError, rpcProvider } from './json-rpc.ts';

/** The merge: a slot every twelve seconds from then on, and extrapolated backwards before. */
const [FIRST_BLOCK, FIRST_AT, SLOT] = [15_537_394, Date.UTC(2022, 8, 15, 6, 43, 11), 12_000];
const [SIZES, BLOCKS] = [0x6574, 0x6562];
/** Potential senders per day; the first of them send often. */
const [SENDERS, UNEVENNESS] = [900_000, 2];
const GAS_LIMIT = 45_000_000;

const hex = (value: number) => `0x${Math.floor(value).toString(16)}`;
const numberAt = (ms: number) => FIRST_BLOCK + Math.floor((ms - FIRST_AT) / SLOT);
const timeOf = (number: number) => FIRST_AT + (number - FIRST_BLOCK) * SLOT;

function digits(noise: Noise, count: number): string {
  let text = '';
  while (text.length < count)
    text += Math.floor(noise.uniform() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, count);
}

const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

class Blocks {
  readonly #market: Market;
  readonly #noise = new Noise();
  readonly #rows = new LruCache<unknown>(24);

  constructor(market: Market) {
    this.#market = market;
  }

  count(number: number): number {
    const busy = PARAMETERS.activity.ethereumBlock * activityAt(this.#market, 'ethereum', timeOf(number));
    return Math.round(busy * (0.5 + fraction(this.#market.seed, SIZES, number)));
  }

  row(number: number, full: boolean): unknown {
    return this.#rows.get(number * 2 + (full ? 1 : 0), () => this.#build(number, full));
  }

  #hash(number: number): string {
    return `0x${digits(this.#noise.seed(this.#market.seed, BLOCKS, number, 1), 64)}`;
  }

  #build(number: number, full: boolean) {
    const [hash, parentHash, count] = [this.#hash(number), this.#hash(number - 1), this.count(number)];
    const price = this.#market.priceAt('ethereum', timeOf(number));
    const baseFee = 4e8 * activityAt(this.#market, 'ethereum', timeOf(number)) ** 4;
    const noise = this.#noise.seed(this.#market.seed, BLOCKS, number, 2);
    const transactions = Array.from({ length: count }, (_, i) => {
      const id = `0x${digits(noise, 64)}`;
      if (!full) return id;
      return this.#transaction(noise, { id, i, hash, number, baseFee, price });
    });
    return {
      number: hex(number),
      hash,
      parentHash,
      nonce: '0x0000000000000000',
      sha3Uncles: NO_UNCLES,
      logsBloom: `0x${'0'.repeat(512)}`,
      transactionsRoot: `0x${digits(noise, 64)}`,
      stateRoot: `0x${digits(noise, 64)}`,
      receiptsRoot: `0x${digits(noise, 64)}`,
      miner: `0x${digits(noise, 40)}`,
      difficulty: '0x0',
      extraData: '0x',
      size: hex(420 * count),
      gasLimit: hex(GAS_LIMIT),
      gasUsed: hex(Math.min(GAS_LIMIT, 105_000 * count)),
      timestamp: hex(timeOf(number) / 1000),
      transactions,
      uncles: [],
      baseFeePerGas: hex(baseFee),
      mixHash: `0x${digits(noise, 64)}`,
      withdrawals: [],
      withdrawalsRoot: `0x${digits(noise, 64)}`,
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      parentBeaconBlockRoot: `0x${digits(noise, 64)}`,
    };
  }

  #transaction(
    noise: Noise,
    given: { id: string; i: number; hash: string; number: number; baseFee: number; price: number },
  ) {
    const { id, i, hash, number, baseFee, price } = given;
    const sender = Math.floor(SENDERS * noise.uniform() ** UNEVENNESS);
    const usd = Math.exp(4 + 2 * noise.normal());
    return {
      blockHash: hash,
      blockNumber: hex(number),
      from: this.#person(sender),
      gas: hex(90_000),
      gasPrice: hex(baseFee * 1.1),
      maxFeePerGas: hex(baseFee * 2),
      maxPriorityFeePerGas: hex(baseFee * 0.1),
      hash: id,
      input: '0x',
      nonce: hex(number % 5000),
      to: this.#person(Math.floor(SENDERS * noise.uniform())),
      transactionIndex: hex(i),
      value: `0x${(BigInt(Math.round((usd / price) * 1e9)) * 1_000_000_000n).toString(16)}`,
      type: '0x2',
      accessList: [],
      chainId: '0x1',
      v: '0x0',
      r: `0x${digits(noise, 64)}`,
      s: `0x${digits(noise, 64)}`,
      yParity: '0x0',
    };
  }

  #person(i: number): string {
    let text = '0x';
    for (let word = 0; word < 5; word++) {
      text += Math.floor(fraction(BLOCKS, i, word) * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    }
    return text;
  }
}

/** The block that a tag or a quantity refers to at this time. */
function wanted(tag: unknown, now: number): number {
  if (tag === 'latest' || tag === 'pending') return numberAt(now);
  if (tag === 'safe') return numberAt(now) - 32;
  if (tag === 'finalized') return numberAt(now) - 64;
  if (tag === 'earliest') return 0;
  if (typeof tag === 'string' && /^0x[0-9a-f]+$/i.test(tag)) return Number(tag);
  throw new RpcError(-32_602, 'invalid argument 0: hex string without 0x prefix');
}

export function ethereum(market: Market): Provider {
  const blocks = new Blocks(market);
  const exists = (number: number, now: number) => number <= numberAt(now) && timeOf(number) > now - 6 * 365 * DAY;
  return rpcProvider('ethereum', 'ETHEREUM', {
    eth_blockNumber: (_params, now) => hex(numberAt(now)),
    eth_chainId: () => '0x1',
    eth_getBlockByNumber: ([tag, full], now) => {
      const number = wanted(tag, now);
      return exists(number, now) ? blocks.row(number, full === true) : null;
    },
    eth_getBlockTransactionCountByNumber: ([tag], now) => {
      const number = wanted(tag, now);
      return exists(number, now) ? hex(blocks.count(number)) : null;
    },
  });
}

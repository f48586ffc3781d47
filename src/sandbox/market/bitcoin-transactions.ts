import { createHash } from 'node:crypto';

import type { Block } from './bitcoin-chain.ts';
import type { Market } from './market.ts';
import { fraction, Noise } from './random.ts';
import { signalsOf } from './signals.ts';
import { DAY, item } from './time.ts';

/** Addresses that exchanges have published. */
export const BITCOIN_WALLETS: readonly (readonly [address: string, exchange: string])[] = [
  ['34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo', 'binance'],
  ['3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6', 'binance'],
  ['bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h', 'binance'],
  ['bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97', 'bitfinex'],
  ['3JZq4atUahhuA9rLhXLMhhTo133J9rF97j', 'bitfinex'],
  ['bc1quhruqrghgcca950rvhtrg7cpd7u8k6svpzgzmrjy8xyukacl5lkq0r8l2d', 'okx'],
];

export type TransactionAmount = { address: string; script: string; satoshi: number };
export type Transaction = {
  id: string;
  inputs: readonly TransactionAmount[];
  outputs: readonly TransactionAmount[];
  fee: number;
  size: number;
};

const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const SATOSHI = 100_000_000;
const BLOCK_REWARD = 3.125 * SATOSHI;
/** Log of the coins of an output: mean and deviation; one in a few thousand exceeds a million dollars. */
const [LOG_MEAN, LOG_DEVIATION] = [-4.6, 2.4];
const LARGE_AMOUNT = 5 * SATOSHI;
const MINER = 'bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj';

/** Building blocks of addresses, scripts and ids: a block needs many thousands at once. */
const FRAGMENT_COUNT = 4096;
const createFragments = (alphabet: string, length: number) =>
  Array.from({ length: FRAGMENT_COUNT }, (_, i) =>
    Array.from({ length }, (_, k) => alphabet[Math.floor(fraction(i, k, alphabet.length) * alphabet.length)]).join(''),
  );
const [BECH32_FRAGMENTS, HEX_FRAGMENTS] = [createFragments(BECH32, 9), createFragments('0123456789abcdef', 8)];

/** Two building blocks per draw. */
function draw(noise: Noise, from: readonly string[], pairs: number): string {
  let text = '';
  for (let i = 0; i < pairs; i++) {
    const word = Math.floor(noise.uniform() * FRAGMENT_COUNT * FRAGMENT_COUNT);
    text += item(from, word % FRAGMENT_COUNT) + item(from, Math.floor(word / FRAGMENT_COUNT));
  }
  return text;
}

const unknownAddress = (noise: Noise, satoshi: number): TransactionAmount => ({
  address: `bc1q${draw(noise, BECH32_FRAGMENTS, 2)}q0`,
  script: `0014${draw(noise, HEX_FRAGMENTS, 3).slice(0, 40)}`,
  satoshi,
});

function exchangeAddress(noise: Noise, satoshi: number): TransactionAmount {
  const [address] = item(BITCOIN_WALLETS, Math.floor(noise.uniform() * BITCOIN_WALLETS.length));
  const script = createHash('sha256').update(address).digest('hex').slice(0, 40);
  return { address, script: address.startsWith('3') ? `a914${script}87` : `0014${script}`, satoshi };
}

/** All transactions of a block, the reward first. Large amounts go to exchanges more often after falls. */
export function transactionsOf(market: Market, block: Block, feeRate: number): Transaction[] {
  const noise = new Noise().seed(market.seed, 0x7478, block.height, 1);
  const decline = -signalsOf(market).trend('bitcoin', block.at, 3 * DAY);
  const deposits = Math.max(0.08, Math.min(0.5, 0.28 + 0.08 * decline));
  const withdrawals = Math.max(0.08, Math.min(0.5, 0.28 - 0.08 * decline));
  const rows: Transaction[] = [];
  let fees = 0;
  for (let i = 1; i < block.transactions; i++) {
    const size = 140 + Math.floor(260 * noise.uniform() ** 2);
    const fee = Math.max(size, Math.round(size * feeRate * (0.6 + 0.8 * noise.uniform())));
    const randomAmount = () => Math.round(SATOSHI * Math.exp(LOG_MEAN + LOG_DEVIATION * noise.normal())) + 1000;
    const [amountOut, change] = [randomAmount(), randomAmount()];
    const isLarge = amountOut > LARGE_AMOUNT;
    const to =
      isLarge && noise.uniform() < deposits ? exchangeAddress(noise, amountOut) : unknownAddress(noise, amountOut);
    const from = isLarge && noise.uniform() < withdrawals ? exchangeAddress : unknownAddress;
    fees += fee;
    rows.push({
      id: draw(noise, HEX_FRAGMENTS, 4),
      inputs: [from(noise, amountOut + change + fee)],
      outputs: [to, unknownAddress(noise, change)],
      fee,
      size,
    });
  }
  const reward = {
    address: MINER,
    script: '001435f6de260c9f3bdee47524c473a6016c0c055cb9',
    satoshi: BLOCK_REWARD + fees,
  };
  return [{ id: draw(noise, HEX_FRAGMENTS, 4), inputs: [], outputs: [reward], fee: 0, size: 320 }, ...rows];
}

import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, floorTo, MINUTE } from '#sandbox/market/time.ts';
import { fileSandbox } from '#tests/support/for-file.ts';
import { BITCOIN_WALLETS } from '../market/bitcoin-transactions.ts';
import { DEMO_WALLET, USDC } from './base-methods.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

const sandbox = fileSandbox(NOW);

async function get<T>(name: string, path: string, status = 200): Promise<T> {
  const response = await fetch(`${sandbox.urls[name]}${path}`);
  expect(response.status).toBe(status);
  const text = await response.text();
  return (status === 200 ? JSON.parse(text) : text) as T;
}

async function call<T>(name: string, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 4, method, params });
  const response = await fetch(sandbox.urls[name] ?? '', { method: 'POST', body });
  const answer = (await response.json()) as { jsonrpc: string; id: number; result?: T; error?: { code: number } };
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 4 });
  return (answer.result === undefined ? answer.error : answer.result) as T;
}

const mempool = <T>(path: string, status = 200) => get<T>('MEMPOOL_BASE_URL', path, status);
const blockchain = <T>(path: string, status = 200) => get<T>('BLOCKCHAIN_INFO_BASE_URL', path, status);

describe('mempool.space', () => {
  type HashRates = {
    hashrates: { timestamp: number; avgHashrate: number }[];
    difficulty: { height: number; difficulty: number }[];
    currentHashrate: number;
    currentDifficulty: number;
  };

  test('hash rates of a year come day by day, in numbers beyond safe integers', async () => {
    const rates = await mempool<HashRates>('/api/v1/mining/hashrate/1y');
    expect(rates.hashrates).toHaveLength(365);
    expect(rates.hashrates.at(-1)?.timestamp).toBe(floorTo(NOW, DAY) / 1000);
    expect(rates.currentHashrate).toBeGreaterThan(2e20);
    expect(rates.difficulty.at(-1)?.difficulty).toBe(rates.currentDifficulty);
    expect((rates.difficulty.at(-1)?.height ?? 1) % 2016).toBe(0);
  });

  test('the adjustment, the tip and the blocks agree', async () => {
    const height = await mempool<number>('/api/blocks/tip/height');
    const adjustment = await mempool<Record<string, number>>('/api/v1/difficulty-adjustment');
    const blocks = await mempool<Record<string, number | string>[]>('/api/v1/blocks');
    expect(adjustment['nextRetargetHeight']).toBe(height + (adjustment['remainingBlocks'] ?? 0));
    expect(Math.abs(adjustment['difficultyChange'] ?? 99)).toBeLessThan(40);
    expect(blocks).toHaveLength(15);
    expect(blocks[0]).toMatchObject({ height, previousblockhash: blocks[1]?.['id'] });
    expect((await mempool<unknown[]>(`/api/v1/blocks/${height - 3}`)).slice(0, 12)).toEqual(blocks.slice(3));
    const wait = (NOW / 1000 - Number(blocks[0]?.['timestamp'])) / 60;
    expect(wait).toBeGreaterThanOrEqual(0);
    expect(wait).toBeLessThan(90);
  });
});

describe('blockchain.info', () => {
  type Raw = {
    hash: string;
    n_tx: number;
    height: number;
    prev_block: string;
    tx: { hash: string; inputs: { prev_out: { value: number } | null }[]; out: { value: number; addr: string }[] }[];
  };

  test('a raw block is the block of mempool.space, transaction by transaction', async () => {
    const latest = await blockchain<{ hash: string; height: number; time: number }>('/latestblock');
    const raw = await blockchain<Raw>(`/rawblock/${latest.hash}`);
    const [top] = await mempool<{ id: string; tx_count: number; previousblockhash: string }[]>('/api/v1/blocks');
    expect([raw.hash, raw.n_tx, raw.prev_block]).toEqual([top?.id, top?.tx_count, top?.previousblockhash]);
    expect(raw.tx).toHaveLength(raw.n_tx);
    type Vout = { txid: string; vout: { value: number; scriptpubkey_address: string }[] };
    const page = await mempool<Vout[]>(`/api/block/${latest.hash}/txs/25`);
    expect(page.map(({ txid, vout }) => [txid, vout.map((each) => each.value)])).toEqual(
      raw.tx.slice(25, 50).map(({ hash, out }) => [hash, out.map((each) => each.value)]),
    );
    const { blocks } = await blockchain<{ blocks: Raw[] }>(`/block-height/${latest.height}?format=json`);
    expect(blocks).toEqual([raw]);
  });

  test('some outputs are above a million dollars, some of them to known exchanges', async () => {
    const { height } = await blockchain<{ height: number }>('/latestblock');
    const price = sandbox.market.priceAt('bitcoin', NOW);
    const known = new Set(BITCOIN_WALLETS.map(([address]) => address));
    const large: string[] = [];
    for (let i = 0; i < 6; i++) {
      const { blocks } = await blockchain<{ blocks: Raw[] }>(`/block-height/${height - i}?format=json`);
      for (const { out } of blocks[0]?.tx.slice(1) ?? []) {
        for (const { value, addr } of out) if ((value / 1e8) * price >= 1e6) large.push(addr);
      }
    }
    expect(large.length).toBeGreaterThan(12);
    expect(large.length).toBeLessThan(6 * 40);
    expect(large.filter((address) => known.has(address)).length).toBeGreaterThan(0);
    expect(large.filter((address) => !known.has(address)).length).toBeGreaterThan(5);
  });

  test('addresses come day by day up to yesterday', async () => {
    type Chart = { status: string; values: { x: number; y: number }[] };
    const chart = (span: string) =>
      get<Chart>('BLOCKCHAIN_CHARTS_BASE_URL', `/charts/n-unique-addresses?timespan=${span}&format=json`);
    const { status, values } = await chart('30days');
    expect(status).toBe('ok');
    expect(values).toHaveLength(30);
    expect(values.at(-1)?.x).toBe((floorTo(NOW, DAY) - DAY) / 1000);
    expect((await chart('5years')).values).toHaveLength(1825);
  });
});

describe('Ethereum', () => {
  type Full = { number: string; timestamp: string; hash: string; transactions: { from: string; hash: string }[] };

  test('a block every twelve seconds, in hexadecimal quantities', async () => {
    const tip = await call<string>('ETHEREUM_RPC_BASE_URL', 'eth_blockNumber');
    const block = await call<Full>('ETHEREUM_RPC_BASE_URL', 'eth_getBlockByNumber', tip, true);
    expect(block.number).toBe(tip);
    expect(NOW / 1000 - Number(block.timestamp)).toBeLessThan(12);
    const before = await call<Full>(
      'ETHEREUM_RPC_BASE_URL',
      'eth_getBlockByNumber',
      `0x${(Number(tip) - 1).toString(16)}`,
      true,
    );
    expect(Number(block.timestamp) - Number(before.timestamp)).toBe(12);
    expect(block).toMatchObject({ parentHash: before.hash });
    expect(block.transactions.length).toBeGreaterThan(60);
    expect(block.transactions.every(({ from }) => /^0x[0-9a-f]{40}$/.test(from))).toBe(true);
    const short = await call<{ transactions: string[] }>(
      'ETHEREUM_RPC_BASE_URL',
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    expect(short.transactions).toHaveLength(block.transactions.length);
    expect(short.transactions[0]).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test('the future is null, nonsense an error, a list is answered in order', async () => {
    expect(await call('ETHEREUM_RPC_BASE_URL', 'eth_getBlockByNumber', '0xfffffff', false)).toBeNull();
    expect(await call('ETHEREUM_RPC_BASE_URL', 'eth_getBlockByNumber', 'x', false)).toMatchObject({ code: -32_602 });
    expect(await call('ETHEREUM_RPC_BASE_URL', 'eth_nothing')).toMatchObject({ code: -32_601 });
    const list = [7, 8].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
    const response = await fetch(sandbox.urls['ETHEREUM_RPC_BASE_URL'] ?? '', {
      method: 'POST',
      body: JSON.stringify(list),
    });
    expect(await response.json()).toEqual([7, 8].map((id) => ({ jsonrpc: '2.0', id, result: '0x1' })));
  });
});

test('Solana gives minutes, newest first', async () => {
  type Sample = { numNonVoteTransactions: number; numTransactions: number; samplePeriodSecs: number; slot: number };
  const samples = await call<Sample[]>('SOLANA_RPC_BASE_URL', 'getRecentPerformanceSamples', 10);
  expect(samples).toHaveLength(10);
  expect(samples[0]?.slot).toBeGreaterThan(samples[1]?.slot ?? 0);
  for (const sample of samples) {
    const perSecond = sample.numNonVoteTransactions / sample.samplePeriodSecs;
    expect(perSecond).toBeGreaterThan(500);
    expect(perSecond).toBeLessThan(4000);
    expect(sample.numTransactions).toBeGreaterThan(sample.numNonVoteTransactions);
  }
});

test('Sui counts checkpoints and transactions by GraphQL', async () => {
  type Checkpoint = { sequenceNumber: number; timestamp: string; networkTotalTransactions: number };
  const at = async (number: number | null): Promise<Checkpoint | null> => {
    const query = 'query ($number: UInt53) { checkpoint(sequenceNumber: $number) { sequenceNumber } }';
    const body = JSON.stringify({ query, variables: { number } });
    const response = await fetch(sandbox.urls['SUI_GRAPHQL_BASE_URL'] ?? '', { method: 'POST', body });
    return ((await response.json()) as { data: { checkpoint: Checkpoint | null } }).data.checkpoint;
  };
  const latest = await at(null);
  expect(await at(latest?.sequenceNumber ?? 0)).toEqual(latest);
  expect(NOW - Date.parse(latest?.timestamp ?? '')).toBeLessThan(1000);
  sandbox.clock.advance(MINUTE);
  const later = await at(null);
  sandbox.clock.set(NOW);
  const perSecond = ((later?.networkTotalTransactions ?? 0) - (latest?.networkTotalTransactions ?? 0)) / 60;
  expect(perSecond).toBeGreaterThan(15);
  expect(perSecond).toBeLessThan(200);
  expect(await at(99_999_999_999)).toBeNull();
});

const SHOP = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

type Row = Record<string, string>;
async function ask<T = Row>(method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(sandbox.urls['PAY_BASE_RPC_URLS'] ?? '', { method: 'POST', body });
  const { result, error } = (await response.json()) as { result?: T; error?: T };
  return (error ?? result) as T;
}
const head = async () => Number(await ask<string>('eth_blockNumber'));
const block = (tag: string | number) =>
  ask('eth_getBlockByNumber', typeof tag === 'number' ? `0x${tag.toString(16)}` : tag, false);
const word = (value: string) => value.slice(2).padStart(64, '0');
async function send(units: number): Promise<string> {
  const data = `0xa9059cbb${word(SHOP)}${word(`0x${units.toString(16)}`)}`;
  const tx = await ask<string>('eth_sendTransaction', { from: DEMO_WALLET, to: USDC, data });
  sandbox.clock.advance(2_000);
  return tx;
}

describe('the simulated Base', () => {
  beforeEach(() => sandbox.faults.clear());

  test('has a block every two seconds, numbered and dated as the real one', async () => {
    expect(await ask('eth_chainId')).toBe('0x2105');
    const newest = await block('latest');
    expect(Number(newest['number'])).toBe(Math.floor((NOW / 1000 - 1_686_789_347) / 2));
    expect(Number(newest['timestamp'])).toBeLessThanOrEqual(NOW / 1000);
    expect(newest['parentHash']).toBe((await block(Number(newest['number']) - 1))['hash']);
    expect(await block(Number(newest['number']) + 1)).toBeNull();
    const [safe, final] = [await block('safe'), await block('finalized')];
    expect(Number(safe['number'])).toBeGreaterThan(Number(final['number']));
  });

  test('a transfer that a wallet sends is in logs, receipt and balance', async () => {
    const balance = async () => BigInt(await ask<string>('eth_call', { to: USDC, data: `0x70a08231${word(SHOP)}` }));
    const before = await balance();
    const tx = await send(5_000_000);
    const at = `0x${(await head()).toString(16)}`;
    const filter = { fromBlock: at, toBlock: at, topics: [TRANSFER, null, [`0x${word(SHOP)}`]] };
    const logs = await ask<Row[]>('eth_getLogs', filter);
    expect(logs).toMatchObject([
      { address: USDC, transactionHash: tx, logIndex: '0x0', data: `0x${word('0x4c4b40')}` },
    ]);
    expect(await ask('eth_getTransactionReceipt', tx)).toMatchObject({ status: '0x1', logs });
    expect((await balance()) - before).toBe(5_000_000n);
    expect(await ask('eth_getLogs', { ...filter, address: SHOP })).toEqual([]);
    expect(await ask('eth_getCode', SHOP, 'latest')).toBe('0x');
  });

  test('logs are limited to a range, and a range has an order', async () => {
    const now = await head();
    const range = (from: number, to: number) =>
      ask('eth_getLogs', { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` });
    expect(await range(now - 1_999, now)).not.toHaveProperty('code');
    expect(await range(now - 2_000, now)).toMatchObject({ code: -32_614 });
    expect(await range(now, now - 1)).toMatchObject({ code: -32_602 });
  });

  test('a reorganisation replaces blocks once, and drops what was in them or mines it again', async () => {
    const tx = await send(1_000_000);
    const at = await head();
    const [before, older] = [(await block(at))['hash'], (await block(at - 3))['hash']];
    sandbox.faults.set({ provider: 'base', kind: 'reorg', depth: 2, again: true });
    const after = (await block(at))['hash'];
    expect(after).not.toBe(before);
    expect((await block(at))['hash']).toBe(after);
    expect((await block(at - 3))['hash']).toBe(older);
    expect(await ask('eth_getTransactionReceipt', tx)).toBeNull();
    sandbox.clock.advance(2_000);
    expect(Number((await ask('eth_getTransactionReceipt', tx))['blockNumber'])).toBe(at + 1);
    sandbox.faults.set({ provider: 'base', kind: 'reorg', depth: 3 });
    sandbox.clock.advance(20_000);
    await head();
    sandbox.faults.clear();
    expect(await ask('eth_getTransactionReceipt', tx)).not.toBeNull();
  });

  test('a node that lags does not know of the newest blocks', async () => {
    const at = await head();
    sandbox.faults.set({ provider: 'base', kind: 'lag', blocks: 4 });
    expect(await head()).toBe(at - 4);
    expect(await block(at)).toBeNull();
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { fileSandbox } from '#tests/support/for-file.ts';
import { DEMO_WALLET, USDC } from './base-methods.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

const sandbox = fileSandbox(NOW);

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

  test('has a block every two seconds, numbered and dated like the real one', async () => {
    expect(await ask('eth_chainId')).toBe('0x2105');
    const newest = await block('latest');
    expect(Number(newest['number'])).toBe(Math.floor((NOW / 1000 - 1_686_789_347) / 2));
    expect(Number(newest['timestamp'])).toBeLessThanOrEqual(NOW / 1000);
    expect(newest['parentHash']).toBe((await block(Number(newest['number']) - 1))['hash']);
    expect(await block(Number(newest['number']) + 1)).toBeNull();
    const [safe, final] = [await block('safe'), await block('finalized')];
    expect(Number(safe['number'])).toBeGreaterThan(Number(final['number']));
  });

  test('a transfer sent by a wallet is in logs, receipt and balance', async () => {
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

  test('log requests are limited to a range, and a range has an order', async () => {
    const now = await head();
    const range = (from: number, to: number) =>
      ask('eth_getLogs', { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` });
    expect(await range(now - 1_999, now)).not.toHaveProperty('code');
    expect(await range(now - 2_000, now)).toMatchObject({ code: -32_614 });
    expect(await range(now, now - 1)).toMatchObject({ code: -32_602 });
  });

  test('a reorganization replaces blocks once, and drops their contents or mines them again', async () => {
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

  test('a lagging node does not have the newest blocks', async () => {
    const at = await head();
    sandbox.faults.set({ provider: 'base', kind: 'lag', blocks: 4 });
    expect(await head()).toBe(at - 4);
    expect(await block(at)).toBeNull();
  });
});

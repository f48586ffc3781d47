import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { DEMO_WALLET, USDC, WORTHLESS_TOKEN } from '#sandbox/providers/base-methods.ts';
import { startSandboxChain } from '#tests/support/base-chains.ts';
import { startTamperingNode } from '#tests/support/tampering-node.ts';
import { createWatcher, openTestBase } from '#tests/support/watching.ts';

const PRICE = 29_990_000n;
const SLOT = 2_000;

let world: Awaited<ReturnType<typeof startSandboxChain>>;
let count = 0;
beforeAll(async () => {
  world = await startSandboxChain();
});
beforeEach(() => world.sandbox.faults.clear());
afterAll(() => world.close());

/** Nodes of one chain, each of which can fail separately. */
async function watch(...nodes: string[]) {
  count += 1;
  const urls = nodes.map((node) => `${world.url}/${node}`);
  const now = () => new Date(world.sandbox.clock.now());
  const rail = openTestBase({ PAY_BASE_RPC_URLS: urls.join(',') }, { now });
  const { route } = await rail.routeOf({ id: `node_payment_${count}`, number: count });
  const watcher = createWatcher(rail, [route]);
  await watcher.scan();
  return { route, rail, ...watcher };
}
const fault = (
  node: string,
  rule: { kind: 'lag'; blocks: number } | { kind: 'fork'; from: number } | { kind: 'timeout' },
) => world.sandbox.faults.set({ provider: 'base', path: `/${node}`, ...rule });

test('money unknown to a lagging node is not lost', async () => {
  const { route, scan } = await watch('one');
  await world.pay(route, PRICE);
  expect((await scan()).transfers).toHaveLength(1);
  fault('one', { kind: 'lag', blocks: 3 });
  const behind = await scan();
  expect(behind.transfers).toEqual([]);
  expect(behind.lost).toEqual([]);
  world.sandbox.faults.clear();
  expect((await scan()).transfers).toHaveLength(1);
});

test('money not shown, in a block that still exists, is not lost', async () => {
  const { route, rail, scan } = await watch('one');
  await world.pay(route, PRICE);
  const { transfers, isLost, final } = await scan();
  expect(transfers.map(isLost)).toEqual([false]);
  const cursor = { scanned: final, mark: null };
  const known = { cursor, routes: [], amounts: new Map<bigint, string>(), deposits: transfers };
  const blind = await rail.scan(known, AbortSignal.timeout(30_000));
  expect(blind.transfers).toEqual([]);
  expect(transfers.map(blind.isLost)).toEqual([false]);
});

test('a node behind the final block is not trusted, and another one is queried', async () => {
  const { route, scan } = await watch('one', 'two');
  fault('one', { kind: 'lag', blocks: 40 });
  await world.pay(route, PRICE);
  expect((await scan()).transfers).toHaveLength(1);
  fault('two', { kind: 'lag', blocks: 40 });
  await expect(scan()).rejects.toThrow('is behind: at block');
});

test('a forked node reverts no money that another node still shows', async () => {
  const { route, scan } = await watch('one', 'two');
  const { block, tx } = await world.pay(route, PRICE);
  await scan();
  fault('one', { kind: 'fork', from: block });
  const alone = await scan();
  expect(alone.transfers).toEqual([]);
  expect(alone.lost).toEqual([]);
  fault('two', { kind: 'fork', from: block });
  expect((await scan()).lost).toEqual([`${tx}:0`]);
});

test('money that one node shows in a block no other has does not count', async () => {
  const { route, scan } = await watch('one', 'two');
  const { block } = await world.pay(route, PRICE);
  fault('two', { kind: 'fork', from: block });
  await expect(scan()).rejects.toThrow(`Base nodes disagree on block ${block}`);
  world.sandbox.faults.clear();
  expect((await scan()).transfers).toHaveLength(1);
});

test('blocks the nodes disagree on are not marked as scanned', async () => {
  const { route, scan, scanned } = await watch('one', 'two');
  const { block } = await world.pay(route, PRICE);
  const before = scanned();
  await world.mineBlocks(100);
  fault('one', { kind: 'fork', from: block });
  await expect(scan()).rejects.toThrow('nodes disagree on block');
  expect(scanned()).toBe(before);
  world.sandbox.faults.clear();
  expect((await scan()).transfers).toHaveLength(1);
});

test('a node of another network has no vote', async () => {
  const { route } = await watch('one');
  const foreign = await startTamperingNode(`${world.url}/two`);
  foreign.overrides.alterResult = (method, result) => {
    if (method === 'eth_chainId') return '0x1';
    return method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'1'.repeat(64)}` } : result;
  };
  const { scan } = createWatcher(openTestBase({ PAY_BASE_RPC_URLS: `${world.url}/one,${foreign.url}` }), [route]);
  await scan();
  await world.pay(route, PRICE);
  expect((await scan()).transfers).toHaveLength(1);
  await foreign.close();
});

test('a node that returns unrequested data, or another block with it, is not trusted', async () => {
  const { route } = await watch('one');
  const lying = await startTamperingNode(`${world.url}/one`);
  const { scan, scanned } = createWatcher(openTestBase({ PAY_BASE_RPC_URLS: lying.url }), [route]);
  await scan();
  const before = scanned();
  await world.pay(route, PRICE);
  const logs = (change: object) => (method: string, result: unknown) =>
    method === 'eth_getLogs' ? (result as object[]).map((row) => ({ ...row, ...change })) : result;
  lying.overrides.alterResult = logs({ blockHash: `0x${'1'.repeat(64)}` });
  await expect(scan()).rejects.toThrow('returned inconsistent data');
  lying.overrides.alterResult = logs({ blockNumber: '0x1' });
  await expect(scan()).rejects.toThrow('returned data that was not requested');
  lying.overrides.alterResult = (method, result) =>
    method === 'eth_getTransactionReceipt' ? { ...(result as object), status: '0x0' } : result;
  await expect(scan()).rejects.toThrow('returned inconsistent data');
  expect(scanned()).toBe(before);
  lying.overrides = {};
  expect((await scan()).transfers).toHaveLength(1);
  await lying.close();
});

test('a transaction mined again in another block is the same transfer', async () => {
  const { route, scan } = await watch('one');
  world.ledger.send(
    { from: DEMO_WALLET, to: USDC, movements: [{ token: USDC, from: DEMO_WALLET, to: DEMO_WALLET, units: 1n }] },
    world.sandbox.clock.now(),
  );
  world.sandbox.clock.advance(SLOT);
  const { tx, block } = await world.pay(route, PRICE);
  await scan();
  // Both are now in one block, after a stranger's transfer.
  world.sandbox.faults.set({ provider: 'base', kind: 'reorg', depth: 2, again: true, count: 1 });
  await scan().catch(() => undefined);
  world.sandbox.clock.advance(SLOT);
  const after = await scan();
  expect(after.transfers).toMatchObject([{ tx, idx: 0, route }]);
  expect(after.transfers[0]?.block).toBeGreaterThan(block);
  expect(after.lost).toEqual([]);
});

test('hours of blocks are read in halves if the node accepts no more per request', async () => {
  const { route, scan, scanned } = await watch('one');
  const from = scanned() ?? 0;
  await world.pay(route, 1_000_000n);
  await world.mineBlocks(4_900);
  await world.pay(route, 2_000_000n);
  await world.mineBlocks(3_000);
  const first = await scan();
  expect(first.head).toBe(from + 5_000);
  expect(first.transfers.map(({ units }) => units)).toEqual([1_000_000n, 2_000_000n]);
  expect((await scan()).head).toBe(await world.head());
});

test('a block flooded with worthless tokens hides no USDC and stops nothing', async () => {
  const { route, scan } = await watch('one');
  const to = route.toLowerCase();
  const movement = { token: WORTHLESS_TOKEN, from: DEMO_WALLET, to, units: 1n };
  world.ledger.send(
    { from: DEMO_WALLET, to: WORTHLESS_TOKEN, movements: Array.from({ length: 20_000 }, () => movement) },
    world.sandbox.clock.now(),
  );
  const { tx } = await world.pay(route, PRICE);
  expect((await scan()).transfers).toMatchObject([{ tx, token: world.usdc, units: PRICE }]);
  world.ledger.send(
    { from: DEMO_WALLET, to: WORTHLESS_TOKEN, movements: Array.from({ length: 500 }, () => movement) },
    world.sandbox.clock.now(),
  );
  await world.mineBlocks(40);
  const { transfers } = await scan();
  expect(transfers.filter(({ token }) => token !== world.usdc)).toHaveLength(20);
});

test.each(['malformed', 'truncated', 'nulls', 'error_200', 'server_error', 'rate_limit'] as const)(
  'an unusable response changes nothing: %s',
  async (kind) => {
    const { route, scan, scanned } = await watch('one');
    await world.pay(route, PRICE);
    const before = scanned();
    world.sandbox.faults.set({ provider: 'base', kind });
    await expect(scan()).rejects.toThrow('Cannot read Base');
    expect(scanned()).toBe(before);
    world.sandbox.faults.clear();
    expect((await scan()).transfers).toHaveLength(1);
  },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startSandbox } from '#sandbox/sandbox.ts';
import { BASE_CHAINS, type BaseTestChain } from '#tests/support/base-chains.ts';
import { createWatcher, openTestBase } from '#tests/support/watching.ts';

const DEAD = 'http://127.0.0.1:9/v2/key-of-the-operator';
const PRICE = 29_990_000n;

describe.each(BASE_CHAINS)('on %s', (_name, startWorld) => {
  let world: BaseTestChain;
  let payments = 0;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.close());

  const railOf = (...urls: string[]) =>
    openTestBase({ PAY_BASE_RPC_URLS: (urls.length > 0 ? urls : [world.url]).join(','), PAY_BASE_USDC: world.usdc });
  const newRoute = async () => {
    payments += 1;
    return (await railOf().routeOf({ id: `payment_${payments}`, number: payments })).route;
  };
  async function watch(...urls: string[]) {
    const route = await newRoute();
    const watcher = createWatcher(railOf(...urls), [route]);
    await watcher.scan();
    return { route, ...watcher };
  }

  test('a transfer is detected with its block, position, time, sender and amount', async () => {
    const { route, scan } = await watch();
    const { tx, block } = await world.pay(route, PRICE);
    const { transfers, safe, head } = await scan();
    expect(transfers).toEqual([
      {
        tx,
        idx: 0,
        block,
        blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
        at: await world.timeOf(block),
        token: world.usdc,
        sender: world.payer,
        route,
        units: PRICE,
      },
    ]);
    expect(head).toBe(await world.head());
    expect(safe).toBeLessThan(block);
  });

  test('becomes safe, then final, and is no longer checked', async () => {
    const { route, scan } = await watch();
    const { block } = await world.pay(route, PRICE);
    expect((await scan()).safe).toBeLessThan(block);
    await world.mineBlocks(32);
    const later = await scan();
    expect(later.safe).toBeGreaterThanOrEqual(block);
    expect(later.transfers).toHaveLength(1);
    await world.mineBlocks(64);
    expect((await scan()).final).toBeGreaterThanOrEqual(block);
    expect((await scan()).transfers).toEqual([]);
  });

  test('three transfers in one transaction to two payments are kept separate', async () => {
    const [first, second] = [await newRoute(), await newRoute()];
    const { scan } = createWatcher(railOf(), [first, second]);
    await scan();
    const { tx } = await world.payMany([
      [first, 20_000_000n],
      [second, PRICE],
      [first, 9_990_000n],
    ]);
    expect((await scan()).transfers).toMatchObject([
      { tx, idx: 0, route: first, units: 20_000_000n },
      { tx, idx: 1, route: second, units: PRICE },
      { tx, idx: 2, route: first, units: 9_990_000n },
    ]);
  });

  test('a worthless token is identified as such, zero-value transfers are ignored', async () => {
    const { route, scan } = await watch();
    await world.pay(route, PRICE, world.worthlessToken);
    await world.pay(route, 0n);
    expect((await scan()).transfers).toMatchObject([{ token: world.worthlessToken, units: PRICE }]);
  });

  test('transfers to other addresses are ignored', async () => {
    const { scan } = await watch();
    await world.pay(world.payer, PRICE);
    expect((await scan()).transfers).toEqual([]);
  });

  test('a reorganization reverts a transfer, paying again brings another', async () => {
    const { route, scan } = await watch();
    const undo = await world.snapshot();
    const { tx } = await world.pay(route, PRICE);
    expect((await scan()).transfers).toHaveLength(1);
    await undo();
    const after = await scan();
    expect(after.transfers).toEqual([]);
    expect(after.lost).toEqual([`${tx}:0`]);
    await world.pay(route, PRICE);
    const again = await scan();
    expect(again.lost).toEqual([]);
    expect(again.transfers).toMatchObject([{ route, units: PRICE }]);
  });

  test('after an outage of 300 blocks the rest is caught up in chunks, nothing is missed', async () => {
    const route = await newRoute();
    const rail = openTestBase({ PAY_BASE_RPC_URLS: world.url, PAY_BASE_USDC: world.usdc }, { maxBlocks: 60 });
    const { scan, scanned } = createWatcher(rail, [route]);
    while ((await scan()).head < (await world.head()));
    const from = scanned() ?? 0;
    for (const units of [1_000_000n, 2_000_000n, 3_000_000n]) {
      await world.pay(route, units);
      await world.mineBlocks(100);
    }
    const pieces = [await scan()];
    expect(pieces[0]?.head).toBe(from + 60);
    while ((pieces.at(-1)?.head ?? 0) < (await world.head())) pieces.push(await scan());
    expect(pieces.length).toBeGreaterThan(4);
    const units = new Map(pieces.flatMap(({ transfers }) => transfers.map(({ tx, units }) => [tx, units])));
    expect([...units.values()]).toEqual([1_000_000n, 2_000_000n, 3_000_000n]);
  });

  test('ours are found among a thousand addresses', async () => {
    const rail = railOf();
    const routes: string[] = [];
    for (let i = 0; i < 1_000; i++) routes.push((await rail.routeOf({ id: `crowd_${i}`, number: i })).route);
    const { scan } = createWatcher(rail, routes);
    await scan();
    for (const i of [0, 399, 400, 999]) await world.pay(routes[i] as string, PRICE);
    expect((await scan()).transfers.map(({ route }) => route)).toEqual([0, 399, 400, 999].map((i) => routes[i]));
  });

  test('the ledger audit rereads everything', async () => {
    const [one, two] = [await newRoute(), await newRoute()];
    const from = await world.head();
    await world.pay(one, 1_000_000n);
    await world.pay(two, 2_000_000n);
    await world.mineBlocks(20);
    const upTo = await world.head();
    await world.pay(one, 3_000_000n);
    const known = { routes: [one, two], amounts: new Map<bigint, string>(), from, upTo };
    const read = await railOf().readAll(known, AbortSignal.timeout(30_000));
    expect(read.map(({ route, units }) => [route, units])).toEqual([
      [one, 1_000_000n],
      [two, 2_000_000n],
    ]);
    await expect(railOf().readAll({ ...known, upTo: upTo + 1_000 }, AbortSignal.timeout(30_000))).rejects.toThrow(
      'does not have block',
    );
  });

  test('when the preferred node is down another one responds', async () => {
    const { route, scan } = await watch(DEAD, world.url);
    await world.pay(route, PRICE);
    expect((await scan()).transfers).toHaveLength(1);
  });

  test('when all nodes are down it reports so, without the keys in their addresses', async () => {
    const { scan } = createWatcher(railOf(DEAD, 'http://127.0.0.1:10'), [await newRoute()]);
    const failure = await scan().catch((error: unknown) => String(error));
    expect(failure).toContain('Cannot read Base: 127.0.0.1:9 is unreachable');
    expect(failure).toContain('127.0.0.1:10 is unreachable');
    expect(failure).not.toContain('key-of-the-operator');
  });

  test('a node of another network is not trusted', async () => {
    const elsewhere = await startSandbox({ seed: 7 });
    const ethereum = elsewhere.urls['ETHEREUM_RPC_BASE_URL'] ?? '';
    const { scan } = createWatcher(railOf(ethereum), [await newRoute()]);
    await expect(scan()).rejects.toThrow('is a node of network 1, not of Base (8453)');
    const both = await watch(ethereum, world.url);
    await world.pay(both.route, PRICE);
    expect((await both.scan()).transfers).toHaveLength(1);
    await elsewhere.close();
  });

  test('an aborted scan ends immediately', async () => {
    const given = AbortSignal.abort(new Error('stopping'));
    const known = { cursor: null, routes: [], amounts: new Map<bigint, string>(), deposits: [] };
    await expect(railOf().scan(known, given)).rejects.toThrow('stopping');
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromBase58 } from '#shared/base58.ts';
import { openSimulatedSolana, type SolanaTestChain } from '#tests/support/solana-test-chain.ts';
import { solanaRail, WatchedRail } from '#tests/support/watched-rail.ts';

let world: SolanaTestChain;
beforeAll(async () => {
  world = await openSimulatedSolana();
});
afterAll(() => world.close());

test('the same payment always has the same reference of 32 bytes, and another payment a different one', async () => {
  const [one, again] = [solanaRail(world.url, world.wallet), solanaRail(world.url, world.wallet)];
  const route = await one.routeOf({ id: 'pay_1', number: 1 });
  expect(await again.routeOf({ id: 'pay_1', number: 1 })).toEqual(route);
  expect(route).toEqual({ address: world.wallet, route: route.reference, reference: route.reference });
  expect(fromBase58(route.route, 32)).toHaveLength(32);
  expect((await one.routeOf({ id: 'pay_2', number: 2 })).route).not.toBe(route.route);
});

test('a Solana Pay request has all six decimals, and space encoding every wallet reads', () => {
  const { uriOf, token } = solanaRail(world.url, world.wallet);
  const payment = { address: world.wallet, reference: 'R', units: 29_990_037n, label: 'Meridian' };
  expect(uriOf({ ...payment, message: 'Pro, 1 month & more' })).toBe(
    `solana:${world.wallet}?amount=29.990037&spl-token=${token}&reference=R&label=Meridian&message=Pro%2C%201%20month%20%26%20more`,
  );
});

test('without a wallet or with an invalid key it is disabled with a reason', () => {
  expect(solanaRail(world.url, world.wallet).closed).toBeNull();
  expect(solanaRail(world.url, undefined).closed).toBe('USDC on Solana is not set up');
  expect(solanaRail(world.url, '1'.repeat(40)).closed).toBe('USDC on Solana is not set up correctly');
});

test('the demo has a prefilled wallet and no explorer links; live mode is the opposite', async () => {
  const live = solanaRail(world.url, world.wallet);
  expect([live.demoWalletOf, live.linkOf('tx')]).toEqual([null, 'https://solscan.io/tx/tx']);
  const watch = new WatchedRail(solanaRail(world.url, world.wallet, 'demo'));
  await watch.scan();
  expect(watch.rail.linkOf('tx')).toBeNull();
  const reference = await watch.open();
  const order = { address: world.wallet, reference, units: 29_990_037n, expiresAt: new Date('2026-11-20T12:15:00Z') };
  const url = watch.rail.demoWalletOf?.(order) ?? '';
  expect(await (await fetch(url)).text()).toContain('29.990037 USDC');
  await fetch(url, { method: 'POST', body: new URLSearchParams({ send: 'exact' }) });
  await world.tick(3);
  await watch.scan();
  expect([...watch.deposits.values()]).toMatchObject([{ route: reference, units: 29_990_037n }]);
});

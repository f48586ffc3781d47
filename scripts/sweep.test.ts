import { spawnSync } from 'node:child_process';

import type { Address, Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { NO_ANVIL } from '#tests/support/anvil.ts';
import { startAnvilChain } from '#tests/support/base-chains.ts';
import { openTestBase } from '#tests/support/watching.ts';

const PRICE = 29_990_000n;

const run = (env: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, ['scripts/sweep.ts', ...args], { encoding: 'utf8', env: { PATH: '', ...env } });

test('prints its usage without a treasury', () => {
  const { status, stderr } = run({}, 'pay_one');
  expect(status).toBe(1);
  expect(stderr).toContain('Usage: PAY_BASE_TREASURY=0x');
});

describe.skipIf(NO_ANVIL)('on a real chain node', () => {
  let world: Awaited<ReturnType<typeof startAnvilChain>>;
  beforeAll(async () => {
    world = await startAnvilChain();
  });
  afterAll(() => world?.close());

  test('its output moves the funds of a payment to the treasury', async () => {
    const { anvil, usdc } = world;
    const env = { PAY_BASE_TREASURY: anvil.treasury, PAY_BASE_USDC: usdc, PAY_BASE_RPC_URLS: world.url };
    const { route } = await openTestBase(env).routeOf({ id: 'pay_printed', number: 1 });
    await world.pay(route, PRICE);
    const { stdout } = run(env, 'pay_printed');
    expect(stdout).toContain(`# pay_printed: ${route}`);
    const [, proxy, code] = /cast send (0x\w{40}) (0x\w+) --rpc-url/.exec(stdout) ?? [];
    const [, address, token] = /cast send (0x\w{40}) 'sweep\(address\)' (0x\w{40})/.exec(stdout) ?? [];
    expect([address, token]).toEqual([route, usdc]);
    await anvil.done(anvil.stranger.sendTransaction({ to: proxy as Address, data: code as Hex }));
    const sweep: Hex = `0x01681a62${(token ?? '').slice(2).padStart(64, '0')}`;
    await anvil.done(anvil.stranger.sendTransaction({ to: address as Address, data: sweep }));
    const held = await anvil.test.call({
      to: usdc as Address,
      data: `0x70a08231${anvil.treasury.slice(2).padStart(64, '0')}`,
    });
    expect(BigInt(held.data ?? 0)).toBe(PRICE);
  });
});

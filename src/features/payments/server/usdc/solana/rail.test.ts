import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLiteSvmChain } from '#tests/support/litesvm-chain.ts';
import { openSimulatedSolana, type SolanaTestChain } from '#tests/support/solana-test-chain.ts';
import { solanaRail, WatchedRail } from '#tests/support/watched-rail.ts';

const litesvm = await import('litesvm').catch((error: unknown) => {
  console.warn('LiteSVM cannot run on this machine: its suite of Solana is left out.', error);
  return undefined;
});

const WORLDS: [name: string, open: () => Promise<SolanaTestChain>, isSimulated: boolean][] = [
  ['the sandbox', openSimulatedSolana, true],
  ...(litesvm ? [['LiteSVM', () => startLiteSvmChain(litesvm), false] as (typeof WORLDS)[number]] : []),
];

const DUE = 29_990_000n;
const FINAL_SLOTS = 40;

describe.each(WORLDS)('USDC on Solana, on %s', (_name, openWorld, isSimulated) => {
  let world: SolanaTestChain;
  let watch: WatchedRail;
  beforeAll(async () => {
    world = await openWorld();
    watch = new WatchedRail(solanaRail(world.url, world.wallet));
    await watch.scan();
  });
  afterAll(() => world.close());

  test('a payment by its reference is detected once it is confirmed, and is final after 32 slots', async () => {
    const route = await watch.open();
    const tx = await world.pay({ units: DUE, references: [route] });
    expect(await watch.scan()).toBe(0);
    await world.tick(3);
    expect(await watch.scan()).toBe(1);
    expect(watch.findDeposit(tx)).toMatchObject({ route, units: DUE, sender: world.payer, final: false });
    await world.tick(FINAL_SLOTS);
    expect(await watch.scan()).toBe(0);
    expect(watch.findDeposit(tx)?.final).toBe(true);
  });

  test('a transfer that failed in its block is not money', async () => {
    const route = await watch.open(31_000_000n);
    const tx = await world.pay({ units: 31_000_000n, references: [route], fails: true });
    await world.tick(3);
    expect(await watch.scan()).toBe(0);
    expect(watch.findDeposit(tx)).toBeUndefined();
  });

  test('without reference the exact amount decides, and indistinguishable money has no payment', async () => {
    const route = await watch.open(29_990_037n);
    const known = await world.pay({ units: 29_990_037n });
    const unknown = await world.pay({ units: 29_990_038n });
    await world.tick(3);
    await watch.scan();
    expect(watch.findDeposit(known)?.route).toBe(route);
    expect(watch.findDeposit(unknown)).toMatchObject({ route: null, units: 29_990_038n });
  });

  test('a reference overrides the amount, and two references match no payment', async () => {
    const [one, other] = [await watch.open(17_000_001n), await watch.open(17_000_002n)];
    const crossed = await world.pay({ units: 17_000_002n, references: [one] });
    const both = await world.pay({ units: 17_000_001n, references: [one, other] });
    const stranger = await world.pay({ units: DUE, references: [world.payer] });
    await world.tick(3);
    await watch.scan();
    expect(watch.findDeposit(crossed)?.route).toBe(one);
    expect(watch.findDeposit(both)?.route).toBeNull();
    expect(watch.findDeposit(stranger)?.route).toBeNull();
  });

  test('another token never counts', async () => {
    const route = await watch.open();
    const tx = await world.pay({ units: DUE, references: [route], isWorthlessToken: true });
    await world.tick(3);
    expect(await watch.scan()).toBe(0);
    expect(watch.findDeposit(tx)).toBeUndefined();
  });

  test.runIf(isSimulated).each([0, 1] as const)(
    'a transaction of version %i counts, accounts of lookup tables as any others',
    async (version) => {
      const route = await watch.open();
      const tx = await world.pay({ units: DUE, references: [route], version });
      await world.tick(3);
      await watch.scan();
      expect(watch.findDeposit(tx)).toMatchObject({ route, units: DUE, sender: world.payer });
    },
  );

  test('an outage of hours, then 250 payments over three pages: each once, and the ledger matches the account', async () => {
    world.setDown(true);
    await expect(watch.scan()).rejects.toThrow(/^No Solana node is readable: 127\.0\.0\.1:\d+: .*503/);
    world.setDown(false);
    for (let i = 0; i < 250; i += 1) {
      const units = 1_000_000n + BigInt(i);
      const route = await watch.open(units);
      await world.pay({ units, references: i % 2 === 0 ? [] : [route] });
      await world.tick(1);
    }
    world.setDown(true);
    await expect(watch.scan()).rejects.toThrow('No Solana node');
    world.setDown(false);
    await world.tick(FINAL_SLOTS);
    expect(await watch.scan()).toBe(250);
    expect(await watch.scan()).toBe(0);
    expect([...watch.deposits.values()].filter(({ route, units }) => !route && units < 2_000_000n)).toEqual([]);
    expect(watch.sum).toBe(await world.balance());
    const all = await watch.rereadFinal();
    expect(all.reduce((sum, { units }) => sum + units, 0n)).toBe(watch.sum);
    expect(all).toHaveLength(watch.deposits.size);
  });

  test('a dropped fork reverts a transfer only once its slot is final', async () => {
    const route = await watch.open();
    const tx = await world.pay({ units: DUE, references: [route] });
    await world.tick(3);
    await watch.scan();
    expect(watch.findDeposit(tx)?.route).toBe(route);
    await world.drop(tx);
    await world.tick(3);
    await watch.scan();
    expect(watch.findDeposit(tx)).toBeDefined();
    await world.tick(FINAL_SLOTS);
    await watch.scan();
    expect(watch.findDeposit(tx)).toBeUndefined();
    expect(watch.lostTransfers).toEqual([tx]);
  });
});

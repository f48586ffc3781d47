import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDemoMarket } from '#app/server/demo-market.ts';
import { loadConfig } from '#kernel/config.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { createWatcher, openTestBase } from '#tests/support/watching.ts';

import { openBase } from './service.ts';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYMENT = { address: ADDRESS, reference: null, units: 29_990_000n, label: 'Meridian', message: 'Pro' };
const now = () => new Date('2026-11-20T12:00:00Z');

test('without a treasury it is disabled with a reason', async () => {
  const rail = openBase({ config: loadConfig({}), mode: 'live', now });
  expect(rail.closed).toBe('USDC on Base is not accepted: no treasury is set (PAY_BASE_TREASURY)');
  await expect(rail.routeOf({ id: 'one', number: 1 })).rejects.toThrow('PAY_BASE_TREASURY');
  expect(openTestBase({}).closed).toBeNull();
});

test('wallets read address, token and amount from one link', () => {
  expect(openTestBase({}).uriOf(PAYMENT)).toBe(
    `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${ADDRESS}&uint256=29990000`,
  );
});

test('a transaction has an explorer link, except in the demo', () => {
  expect(openTestBase({}).linkOf('0xabc')).toBe('https://basescan.org/tx/0xabc');
  expect(openTestBase({}, { mode: 'demo' }).linkOf('0xabc')).toBeNull();
});

test('the demo wallet is never offered in live mode, nor with an external node', () => {
  expect(openTestBase({ PAY_BASE_RPC_URLS: 'http://127.0.0.1:5/base' }).demoWalletOf).toBeNull();
  expect(openTestBase({ PAY_BASE_RPC_URLS: 'https://base.example' }, { mode: 'demo' }).demoWalletOf).toBeNull();
});

test('the demo has a treasury and a wallet without any configuration', async () => {
  const demo = await startDemoMarket(loadConfig({}), 7);
  const rail = openBase({ config: demo.config, mode: 'demo', now });
  expect(rail.closed).toBeNull();
  const link = rail.demoWalletOf?.({ ...PAYMENT, expiresAt: now() }) ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`<dd>${ADDRESS}</dd>`);
  await demo.close();
});

describe('the demo wallet', () => {
  const EXPIRES = new Date('2026-11-20T12:15:00Z');
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ seed: 7, now: now().getTime() });
  });
  afterAll(() => sandbox.close());

  async function opened() {
    const rail = openTestBase({ PAY_BASE_RPC_URLS: sandbox.urls['PAY_BASE_RPC_URLS'] ?? '' }, { mode: 'demo', now });
    const { address } = await rail.routeOf({ id: `wallet_${Math.random()}`, number: 1 });
    const link = rail.demoWalletOf?.({ ...PAYMENT, address, expiresAt: EXPIRES }) ?? '';
    const { scan } = createWatcher(rail, [address]);
    await scan();
    const press = (send: string) =>
      fetch(link, { method: 'POST', body: new URLSearchParams({ send }), redirect: 'manual' });
    return { link, address, look: scan, press };
  }

  test.each([
    ['exact', 29_990_000n],
    ['less', 14_995_000n],
    ['more', 34_990_000n],
  ])('sends %s, in the next block', async (act, units) => {
    const { look, press, address, link } = await opened();
    expect((await press(act)).status).toBe(303);
    expect((await look()).transfers).toEqual([]);
    expect(await (await fetch(link)).text()).toContain('waits to be mined');
    sandbox.clock.advance(2_000);
    expect((await look()).transfers).toMatchObject([{ route: address, units }]);
    expect(await (await fetch(link)).text()).toContain('mined 12:0');
  });

  test('sends late: five seconds after the deadline', async () => {
    const { look, press } = await opened();
    await press('late');
    sandbox.clock.set(EXPIRES.getTime() + 4_000);
    expect((await look()).transfers).toEqual([]);
    sandbox.clock.advance(4_000);
    const [late] = (await look()).transfers;
    expect(late?.units).toBe(29_990_000n);
    expect((late?.at.getTime() ?? 0) - EXPIRES.getTime()).toBeGreaterThanOrEqual(5_000);
  });

  test('sends a worthless token', async () => {
    const { look, press } = await opened();
    await press('worthless');
    sandbox.clock.advance(2_000);
    const [sent] = (await look()).transfers;
    expect(sent?.token).not.toBe(openTestBase({}).token);
    expect(sent?.units).toBe(29_990_000n);
  });

  test('reloading the page sends nothing, and it runs no script', async () => {
    const { link, press, look } = await opened();
    const answer = await press('exact');
    const page = await fetch(new URL(answer.headers.get('location') ?? '', link));
    const html = await page.text();
    expect(html).not.toContain('<script');
    expect(html.match(/<li>/g)).toHaveLength(1);
    sandbox.clock.advance(2_000);
    expect((await look()).transfers).toHaveLength(1);
  });

  test('user text is escaped, and the return link is a web address', async () => {
    const { link } = await opened();
    const open = async (next: string) => (await fetch(`${link}&${new URLSearchParams({ next }).toString()}`)).text();
    expect(await open('javascript:alert(1)')).not.toContain('javascript:');
    expect(await open('http://127.0.0.1:8080/app"><b>')).toContain(
      'href="http://127.0.0.1:8080/app&quot;&gt;&lt;b&gt;"',
    );
  });

  test.each([
    ['no address', 'to=&amount=1'],
    ['no amount', `to=${ADDRESS}`],
    ['an amount of seven decimals', `to=${ADDRESS}&amount=1.0000001`],
  ])('400: %s, and an unknown button', async (_what, query) => {
    expect((await fetch(`${sandbox.origin}/wallet/base?${query}`)).status).toBe(400);
    const { press } = await opened();
    expect((await press('everything')).status).toBe(400);
  });
});

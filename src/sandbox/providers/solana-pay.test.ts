import { createPublicKey, verify } from 'node:crypto';
import { address } from '@solana/kit';
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '#sandbox/sandbox.ts';
import { tokenAccountOf, USDC_MINT, walletNamed } from '#sandbox/solana/chain.ts';
import { fromBase58 } from '#shared/base58.ts';
import { fileSandbox } from '#tests/support/for-file.ts';
import { rpc } from '#tests/support/solana-test-chain.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const SHOP = walletNamed('shop').address;
const ACCOUNT = tokenAccountOf(SHOP, USDC_MINT) ?? '';
const REFERENCE = walletNamed('reference').address;

const sandbox = fileSandbox(NOON);
let node: string;
beforeAll(async () => {
  node = sandbox.urls['PAY_SOLANA_RPC_URLS'] ?? '';
});

type Row = { signature: string; slot: number; confirmationStatus: string };
type Balances = { accountIndex: number; mint: string; owner: string; uiTokenAmount: { amount: string } }[];
type Found = {
  blockTime: number;
  version: unknown;
  meta: { preTokenBalances: Balances; postTokenBalances: Balances; loadedAddresses: { writable: string[] } };
  transaction: { message: { accountKeys: string[] } };
};

const listOf = (account: string, commitment = 'processed') =>
  rpc<Row[]>(node, 'getSignaturesForAddress', [account, { commitment }]);
const find = (signature: string, more: object = { maxSupportedTransactionVersion: 0 }) =>
  rpc<Found | null>(node, 'getTransaction', [signature, { commitment: 'processed', ...more }]);

test('token accounts match those derived by Solana', async () => {
  for (let i = 0; i < 40; i += 1) {
    const owner = walletNamed(`wallet ${i}`).address;
    const seeds = { owner: address(owner), mint: address(USDC_MINT), tokenProgram: TOKEN_PROGRAM_ADDRESS };
    expect(tokenAccountOf(owner, USDC_MINT)).toBe((await findAssociatedTokenPda(seeds))[0]);
  }
  expect(tokenAccountOf('nobody', USDC_MINT)).toBeUndefined();
});

describe('the node', () => {
  test('its history starts before the first slot it ever reported final, however late that is requested', async () => {
    const young = await startSandbox({ seed: 7, now: NOON });
    const url = young.urls['PAY_SOLANA_RPC_URLS'] ?? '';
    const final = await rpc<number>(url, 'getSlot', [{ commitment: 'finalized' }]);
    young.clock.advance(5000);
    expect(await rpc<number>(url, 'getFirstAvailableBlock', [])).toBeLessThan(final);
    await young.close();
  });

  test('its slots take 400 ms; after two they are confirmed, after 32 final', async () => {
    const slotOf = (commitment: string) => rpc<number>(node, 'getSlot', [{ commitment }]);
    const head = await slotOf('processed');
    expect([await slotOf('confirmed'), await slotOf('finalized')]).toEqual([head - 2, head - 32]);
    sandbox.clock.advance(4000);
    expect(await slotOf('processed')).toBe(head + 10);
    expect(await rpc(node, 'getBlockHeight', [])).toBe(head + 10 - 32);
    const ahead = [{ commitment: 'confirmed', minContextSlot: head + 50 }];
    await expect(rpc(node, 'getSlot', ahead)).rejects.toThrow('Minimum context slot has not been reached');
    const latest = await rpc<{ value: { blockhash: string } }>(node, 'getLatestBlockhash', []);
    expect(fromBase58(latest.value.blockhash, 32)).toHaveLength(32);
  });

  test('a separate wallet signs messages', async () => {
    const response = await fetch(`${node}/signatures`, { method: 'POST', body: '{"message":"mine"}' });
    const { wallet, signature } = (await response.json()) as { wallet: string; signature: string };
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), fromBase58(wallet, 32) ?? Buffer.of()]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from('mine'), key, fromBase58(signature, 64) ?? Buffer.of())).toBe(true);
  });

  test('version 0 transactions are shown only to clients that support them', async () => {
    const body = JSON.stringify({ to: SHOP, units: '5', version: 0 });
    const { signature } = (await (await fetch(`${node}/transfers`, { method: 'POST', body })).json()) as Row;
    expect((await find(signature))?.meta.loadedAddresses.writable).toEqual([ACCOUNT]);
    await expect(find(signature, {})).rejects.toThrow('Transaction version (0) is not supported');
  });

  test('a fork is abandoned before it is final, and never after', async () => {
    const drop = async (signature: string) => {
      const answer = await fetch(`${node}/forks`, { method: 'POST', body: JSON.stringify({ signature }) });
      return (await answer.json()) as { isDropped: boolean };
    };
    const pay = async () => {
      const answer = await fetch(`${node}/transfers`, {
        method: 'POST',
        body: JSON.stringify({ to: SHOP, units: '7' }),
      });
      return ((await answer.json()) as Row).signature;
    };
    const [gone, stays] = [await pay(), await pay()];
    expect(await drop(gone)).toEqual({ isDropped: true });
    expect(await find(gone)).toBeNull();
    sandbox.clock.advance(20_000);
    expect(await drop(stays)).toEqual({ isDropped: false });
    const status = await rpc<{ value: unknown[] }>(node, 'getSignatureStatuses', [[stays, gone]]);
    expect(status.value).toMatchObject([{ confirmationStatus: 'finalized', err: null }, null]);
  });
});

describe('the demo wallet', () => {
  const expires = new Date(NOON + 900_000);
  const page = (more: Record<string, string> = {}) =>
    `${sandbox.origin}/wallet/solana?${new URLSearchParams({ to: SHOP, amount: '29.990037', reference: REFERENCE, expires: expires.toISOString(), ...more }).toString()}`;
  const press = async (send: string) => {
    const before = new Set((await listOf(ACCOUNT)).map(({ signature }) => signature));
    const answer = await fetch(page(), { method: 'POST', body: new URLSearchParams({ send }), redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, page().replace(sandbox.origin, '')]);
    const fresh = (await listOf(ACCOUNT)).filter(({ signature }) => !before.has(signature));
    const [only] = await Promise.all(fresh.map(({ signature }) => find(signature)));
    if (!only) return undefined;
    const index = [...only.transaction.message.accountKeys].indexOf(ACCOUNT);
    const at = (list: Balances) =>
      Number(list.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount.amount);
    const units = at(only.meta.postTokenBalances) - at(only.meta.preTokenBalances);
    return { units, hasReference: only.transaction.message.accountKeys.includes(REFERENCE), at: only.blockTime };
  };

  test('sends the exact amount, less, more, and exact without the reference', async () => {
    expect(await press('exact')).toMatchObject({ units: 29_990_037, hasReference: true });
    expect(await press('copied')).toMatchObject({ units: 29_990_037, hasReference: false });
    expect(await press('less')).toMatchObject({ units: 14_995_018, hasReference: true });
    expect(await press('more')).toMatchObject({ units: 34_990_037, hasReference: true });
  });

  test('sends another token to another account', async () => {
    expect(await press('worthless')).toBeUndefined();
    expect(await (await fetch(page())).text()).toContain('29.990037 of no value');
  });

  test('sends late: after the payment has expired', async () => {
    expect(await press('late')).toBeUndefined();
    expect(await (await fetch(page())).text()).toContain('waits to be mined');
    sandbox.clock.set(expires.getTime() + 6000);
    const [newest] = await listOf(ACCOUNT);
    const found = await find(newest?.signature ?? '');
    expect((found?.blockTime ?? 0) * 1000).toBe(expires.getTime() + 5000);
  });

  test('lists its transfers for this payment, and offers a manual copy', async () => {
    const html = await (await fetch(page())).text();
    expect(html).toContain('Demo wallet on Solana');
    expect(html).toContain('Send exact, without the reference');
    expect(html.match(/<li>/g)?.length).toBe(6);
    const other = await (await fetch(page({ reference: walletNamed('another').address }))).text();
    expect(other).not.toContain('<li>');
  });
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Payment } from '#features/payments/contract/usdc.ts';
import { creditBalance } from '#features/payments/server/billing/service.ts';
import { walletNamed } from '#sandbox/solana/chain.ts';
import { fromBase58 } from '#shared/base58.ts';
import { usdToUnits } from '#shared/money.ts';
import { expectBalancedBooks } from '#tests/support/books.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';
import { type SolanaTestChain, simulatedSolana } from '#tests/support/solana-test-chain.ts';

import { watchOnce } from './service/watch.ts';

const WALLET = 'GxL6U5ZJBUK4mSwCXxYxDDSgBL99Fk6LdXBC3pYUf32b';
const [CONFIRMED, FINAL] = [3, 40];
const MINUTE = 60_000;
const BLOCK = '/api/subscribe/solana/blockhash';
const CLAIMS = '/api/subscribe/claims';
/** The paying wallet of this world. */
const sender = walletNamed('demo');

const s = fileProduct({ env: { PAY_SOLANA_WALLET: WALLET, PUBLIC_URL: 'https://meridian.example' } });
let world: SolanaTestChain;
let who: TestUser;
let number = 0;

beforeAll(async () => {
  world = simulatedSolana(s.sandbox, s.advance, WALLET);
  await look(0);
});
beforeEach(async () => {
  number += 1;
  who = await registerUser(s, `claimant${number}`);
});

async function look(slots: number): Promise<void> {
  await world.tick(slots);
  await watchOnce(s.product.usdc.ctx, 'solana', AbortSignal.timeout(30_000));
  await expectBalancedBooks(s);
}

/** A transfer that cannot be matched to an account. */
async function stray(slots = FINAL): Promise<string> {
  const tx = await world.pay({ units: 12_345_678n });
  await look(slots);
  return tx;
}

async function messageFor(tx: string, from = who): Promise<string> {
  const answer = await from.get(`${CLAIMS}/message?tx=${tx}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ message: string }>().message;
}

const claim = (body: object, from = who) => from.post(CLAIMS, { network: 'solana', ...body });
const creditOf = ({ id }: TestUser) => creditBalance(s.product.usdc.ctx.db, id);
const claimsOf = (tx: string) =>
  s.product.usdc.ctx.db.selectFrom('usdc_claims').selectAll().where('tx', '=', tx).orderBy('id').execute();

test('the message names the site, the account, the transaction and its expiry, and cannot be forged', async () => {
  const tx = await stray();
  const message = await messageFor(tx);
  expect(message.split('\n')).toEqual([
    'meridian.example asks you to sign that a transfer to Meridian is yours. Signing sends nothing and costs nothing.',
    '',
    `Account: ${who.id}`,
    `Transaction: ${tx}`,
    expect.stringMatching(/^Valid until: 2026-11-20T12:[0-5]\d:00\.000Z$/),
    expect.stringMatching(/^Code: [\w-]{22}$/),
  ]);
  const codeOf = (text: string) => text.split('\n').at(-1);
  expect(codeOf(await messageFor(await stray()))).not.toBe(codeOf(message));
  const made = message.replace(/Code: .*/, `Code: ${'A'.repeat(22)}`);
  expect((await claim({ tx, signature: sender.sign(made) })).statusCode).toBe(400);
});

test('a transfer is credited immediately to the user who signs with the sending wallet', async () => {
  const tx = await stray();
  const message = await messageFor(tx);
  const signature = sender.sign(message);
  const answer = await claim({ tx, signature });
  expect([answer.statusCode, answer.json()]).toEqual([200, { state: 'credited', amount: '12.345678' }]);
  expect(await creditOf(who)).toBe(12_345_678n);
  await expectBalancedBooks(s);
  expect(await claimsOf(tx)).toMatchObject([
    { user_id: who.id, wallet: sender.address, message, proof: signature, state: 'credited' },
  ]);
  const { db } = s.product.usdc.ctx;
  const acts = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', who.id).execute();
  expect(acts.filter(({ action }) => action === 'payment.claim')).toMatchObject([
    { details: { amount: '12.345678', tx } },
  ]);
});

test('claimed funds pay for the next plan', async () => {
  const tx = await stray();
  await claim({ tx, signature: sender.sign(await messageFor(tx)) });
  const offer = await who.post('/api/subscribe/wallet-payment', { planId: 'pro', network: 'solana', months: 1 });
  const payment = offer.json<Payment>();
  expect(payment.creditUsed).toBe('12.345678');
  await world.pay({ units: usdToUnits(payment.amount) ?? 0n, references: [payment.reference ?? ''] });
  await look(FINAL);
  expect((await who.get(`/api/subscribe/payments/${payment.paymentId}`)).json<Payment>().status).toBe('settled');
});

test('a hex signature counts as well', async () => {
  const tx = await stray();
  const signature = Buffer.from(fromBase58(sender.sign(await messageFor(tx)), 64) ?? []).toString('hex');
  expect((await claim({ tx, signature: `0x${signature}` })).json()).toMatchObject({ state: 'credited' });
});

describe('400', () => {
  test.each([
    ['the signature of another wallet', async (tx: string) => walletNamed('a thief').sign(await messageFor(tx))],
    [
      'of the message of another account',
      async (tx: string) => {
        return sender.sign(await messageFor(tx, await registerUser(s, `other${number}`)));
      },
    ],
    ['of the message of another transaction', async () => sender.sign(await messageFor(await stray()))],
    [
      'of a message that is out of date',
      async (tx: string) => {
        const signature = sender.sign(await messageFor(tx));
        s.advance(31 * MINUTE);
        return signature;
      },
    ],
  ])('%s', async (_what, sign) => {
    const tx = await stray();
    expect(statusAndMessage(await claim({ tx, signature: await sign(tx) }))).toEqual([
      400,
      'The signature is not from the wallet that sent the transfer, or the message has expired. Please sign again.',
    ]);
    expect(await creditOf(who)).toBe(0n);
    expect(await claimsOf(tx)).toEqual([]);
  });

  test('a message is valid for at least a quarter of an hour', async () => {
    const tx = await stray();
    const signature = sender.sign(await messageFor(tx));
    s.advance(15 * MINUTE - 1);
    expect((await claim({ tx, signature })).statusCode).toBe(200);
  });

  test('an invalid signature, an invalid transaction, or on Base', async () => {
    const tx = await stray();
    expect(statusAndMessage(await claim({ tx, signature: 'mine' }))).toEqual([
      400,
      'This is not a Solana wallet signature.',
    ]);
    const wrong = 'This is not a Solana transaction signature. Please copy the full signature.';
    expect(statusAndMessage(await claim({ tx: '0'.repeat(64) }))).toEqual([400, wrong]);
    expect(statusAndMessage(await who.get(`${CLAIMS}/message?tx=${'0'.repeat(64)}`))).toEqual([400, wrong]);
    expect(statusAndMessage(await claim({ network: 'base', tx: `0x${'1'.repeat(64)}` }))).toEqual([
      400,
      'On Base every payment has its own address and is credited automatically. There is nothing to claim.',
    ]);
  });
});

test('404: a transaction that paid us nothing', async () => {
  const tx = sender.sign('no transaction at all');
  expect(statusAndMessage(await claim({ tx }))).toEqual([
    404,
    'We received no USDC from this transaction. Transfers take about a minute to appear; please check the signature.',
  ]);
});

test('409: not final yet, matched to a payment, or already claimed by the user or another', async () => {
  const early = await stray(CONFIRMED);
  expect(statusAndMessage(await claim({ tx: early }))).toEqual([
    409,
    'This transfer is not final yet. Please try again in a minute.',
  ]);
  await look(FINAL);
  expect((await claim({ tx: early, signature: sender.sign(await messageFor(early)) })).statusCode).toBe(200);
  const own = [409, 'This transfer is already credited to your account.'];
  expect(statusAndMessage(await claim({ tx: early, signature: sender.sign(await messageFor(early)) }))).toEqual(own);

  const offer = await who.post('/api/subscribe/wallet-payment', { planId: 'premium', network: 'solana', months: 1 });
  const payment = offer.json<Payment>();
  const tx = await world.pay({ units: usdToUnits(payment.amount) ?? 0n, references: [payment.reference ?? ''] });
  await look(FINAL);
  expect(statusAndMessage(await claim({ tx }))).toEqual(own);

  const other = await registerUser(s, `late${number}`);
  for (const each of [early, tx])
    expect(
      statusAndMessage(await claim({ tx: each, signature: sender.sign(await messageFor(each, other)) }, other)),
    ).toEqual([409, 'This transfer has already been credited and cannot be claimed.']);
  expect(await creditOf(other)).toBe(0n);
});

test('without a signature it waits for an administrator, once, until the wallet signs for a user', async () => {
  const tx = await stray();
  const other = await registerUser(s, `patient${number}`);
  for (const from of [who, who, other])
    expect((await claim({ tx }, from)).json()).toEqual({ state: 'waiting', amount: '12.345678' });
  expect((await claimsOf(tx)).map(({ user_id, state }) => [user_id, state])).toEqual([
    [who.id, 'waiting'],
    [other.id, 'waiting'],
  ]);
  expect(await creditOf(who)).toBe(0n);
  await claim({ tx, signature: sender.sign(await messageFor(tx)) });
  expect((await claimsOf(tx)).map(({ user_id, state }) => [user_id, state])).toEqual([
    [who.id, 'credited'],
    [other.id, 'refused'],
    [who.id, 'credited'],
  ]);
});

test('two accounts claim concurrently: one gets it, once', async () => {
  const other = await registerUser(s, `rival${number}`);
  for (let round = 0; round < 4; round += 1) {
    const tx = await stray();
    const before = (await creditOf(who)) + (await creditOf(other));
    const tries = [who, other, who, other].map(async (from) =>
      claim({ tx, signature: sender.sign(await messageFor(tx, from)) }, from),
    );
    const codes = (await Promise.all(tries)).map(({ statusCode }) => statusCode);
    expect(codes.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect((await creditOf(who)) + (await creditOf(other)) - before).toBe(12_345_678n);
    await expectBalancedBooks(s);
  }
});

test('429: guessing transactions is rate-limited', async () => {
  const guess = () => claim({ tx: sender.sign(String(Math.random())) });
  for (let i = 0; i < 10; i += 1) expect((await guess()).statusCode).toBe(404);
  const refused = await guess();
  expect(statusAndMessage(refused)).toEqual([429, 'Too many attempts. Please try again later.']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

describe('what a wallet requires from Solana', () => {
  test('the latest block; the same within five seconds', async () => {
    const first = (await who.get(BLOCK)).json<{ blockhash: string; lastValidBlockHeight: string }>();
    expect(first.blockhash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    expect(Number(first.lastValidBlockHeight)).toBeGreaterThan(0);
    s.advance(4000);
    expect((await who.get(BLOCK)).json()).toEqual(first);
    s.advance(2000);
    expect((await who.get(BLOCK)).json()).not.toEqual(first);
  });

  test('an unresponsive or unconfigured network is reported; the next request tries again', async () => {
    s.advance(6000);
    s.sandbox.faults.set({ provider: 'solana-pay', kind: 'server_error' });
    const refused = await who.get(BLOCK);
    expect(statusAndMessage(refused)).toEqual([503, 'Solana is not responding. Please try again.']);
    s.sandbox.faults.clear();
    expect((await who.get(BLOCK)).statusCode).toBe(200);
    const product = await s.another({ PAY_SOLANA_WALLET: '' });
    expect((await sendRequest({ ...s, product }, 'GET', BLOCK, undefined, who)).json()).toMatchObject({
      code: 'unavailable',
      error: 'USDC on Solana is not set up',
    });
  });
});

import { createPublicKey, verify } from 'node:crypto';
import type { z } from 'zod/mini';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type AuthContext, limitUser, type Origin } from '#features/accounts/server/auth/service.ts';
import type { claimTransfer } from '#features/payments/contract/usdc.ts';
import { creditAccount, lockBilling, post } from '#features/payments/server/billing/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { fromBase58 } from '#shared/base58.ts';
import { BRAND } from '#shared/brand.ts';
import { unitsToUsd } from '#shared/money.ts';

import type { UsdcContext } from './context.ts';
import { closeWaiting, insertClaim, isWaiting, lockDeposit, setOwner } from './store/claims.ts';
import type { Deposit } from './store/deposits.ts';
import { findPayment } from './store/payments.ts';

type Context = Pick<AuthContext, 'secrets' | 'publicUrl' | 'now'>;

const QUARTER_MS = 15 * 60_000;
const CODE_BYTES = 16;
const [KEY_BYTES, SIGNATURE_BYTES] = [32, 64];
/** DER prefix of an ed25519 public key for node:crypto, followed by its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function messagesUntil({ secrets, publicUrl }: Context, userId: number, tx: string, until: number): string[] {
  const site = new URL(publicUrl()).host;
  const expires = new Date(until).toISOString();
  const codes = secrets.macs('usdc claim', JSON.stringify([site, userId, tx, expires]));
  return codes.map((code) =>
    [
      `${site} asks you to sign that a transfer to ${BRAND.name} is yours. Signing sends nothing and costs nothing.`,
      '',
      `Account: ${userId}`,
      `Transaction: ${tx}`,
      `Valid until: ${expires}`,
      `Code: ${code.subarray(0, CODE_BYTES).toString('base64url')}`,
    ].join('\n'),
  );
}

/** Expires at the end of the next quarter-hour, so nothing needs to be stored: valid for 15 to 30 minutes. */
function claimMessage(ctx: Context, userId: number, tx: string): string {
  const quarter = Math.floor(ctx.now().getTime() / QUARTER_MS);
  return messagesUntil(ctx, userId, tx, (quarter + 2) * QUARTER_MS)[0] ?? '';
}

/** Messages still accepted, including those with a code from before a rotation of the secret key. */
function validMessages(ctx: Context, userId: number, tx: string): string[] {
  const quarter = Math.floor(ctx.now().getTime() / QUARTER_MS);
  return [quarter + 2, quarter + 1].flatMap((end) => messagesUntil(ctx, userId, tx, end * QUARTER_MS));
}

/** Base58 or hex; undefined when it is not a signature. */
function decodeSignature(text: string): Uint8Array | undefined {
  const hex = /^(?:0x)?([0-9a-f]{128})$/i.exec(text)?.[1];
  return hex === undefined ? fromBase58(text, SIGNATURE_BYTES) : new Uint8Array(Buffer.from(hex, 'hex'));
}

function isSignedBy(wallet: string, message: string, signature: Uint8Array): boolean {
  const bytes = fromBase58(wallet, KEY_BYTES);
  if (!bytes) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(message), key, signature);
  } catch {
    // The address of a program is not a key.
    return false;
  }
}

/** The accepted message that the wallet signed; undefined when none. */
function findSigned(
  ctx: Context,
  { userId, tx, wallet, signature }: { userId: number; tx: string; wallet: string; signature: Uint8Array },
): string | undefined {
  return validMessages(ctx, userId, tx).find((message) => isSignedBy(wallet, message, signature));
}

type Asked = z.output<typeof claimTransfer.body>;
type Claimed = { state: 'credited' | 'waiting'; amount: string };

const TRIES = { most: 10, seconds: 3600 };

function checkTransaction(tx: string): void {
  if (!fromBase58(tx, SIGNATURE_BYTES))
    throw new AppError('bad_request', 'This is not a Solana transaction signature. Please copy the full signature.');
}

/** The message the sending wallet signs to have a transfer credited to this account. */
export function messageFor(ctx: UsdcContext, userId: number, tx: string): string {
  checkTransaction(tx);
  return claimMessage(ctx, userId, tx);
}

/** A deposit without an owner; anything else is refused. */
async function getUnownedDeposit(db: Db, userId: number, tx: string): Promise<Deposit> {
  const deposit = await lockDeposit(db, 'solana', tx);
  if (!deposit)
    throw new AppError(
      'not_found',
      'We received no USDC from this transaction. Transfers take about a minute to appear; please check the signature.',
    );
  const isOwn =
    deposit.ownerId === userId ||
    (deposit.paymentId !== null && (await findPayment(db, deposit.paymentId, userId)) !== undefined);
  if (isOwn) throw new AppError('conflict', 'This transfer is already credited to your account.');
  if (deposit.ownerId !== null || deposit.paymentId !== null)
    throw new AppError('conflict', 'This transfer has already been credited and cannot be claimed.');
  // A final deposit cannot be reversed, so a claim never has to be undone.
  if (deposit.state !== 'final')
    throw new AppError('conflict', 'This transfer is not final yet. Please try again in a minute.');
  return deposit;
}

function verifyProof(ctx: UsdcContext, userId: number, { tx, signature: text }: Asked, wallet: string): string {
  const signature = decodeSignature(text ?? '');
  if (!signature) throw new AppError('bad_request', 'This is not a Solana wallet signature.');
  const message = findSigned(ctx, { userId, tx, wallet, signature });
  if (message === undefined)
    throw new AppError(
      'bad_request',
      'The signature is not from the wallet that sent the transfer, or the message has expired. Please sign again.',
    );
  return message;
}

async function credit(
  ctx: UsdcContext,
  db: Db,
  userId: number,
  { deposit, at, network }: { deposit: Deposit; at: Date; network: string },
): Promise<void> {
  const { tx, idx, units, sender } = deposit;
  const isPosted = await post(db, {
    key: `claim:solana:${tx}:${idx}`,
    at,
    about: 'Claimed transfer without reference',
    createdBy: userId,
    lines: [
      ['suspense', units],
      [creditAccount(userId), -units],
    ],
  });
  if (!isPosted) throw new Error(`The claim of ${tx} is booked, but its transfer has no owner`);
  await setOwner(db, deposit, userId);
  const details = { tx, wallet: sender, amount: unitsToUsd(units) };
  await audit(db, { at, actorId: userId, subjectId: userId, action: 'payment.claim', details, network });
  await ctx.live.publishTo(db, userId, accountTopic, { changed: ['payments'] });
}

/**
 * Credits an unmatched transfer once to the account that signs with the sending wallet; without a signature an
 * administrator decides. Naming a public transaction proves nothing about its sender.
 */
export async function claim(ctx: UsdcContext, userId: number, asked: Asked, { network }: Origin): Promise<Claimed> {
  if (asked.network === 'base')
    throw new AppError(
      'bad_request',
      'On Base every payment has its own address and is credited automatically. There is nothing to claim.',
    );
  checkTransaction(asked.tx);
  await limitUser(ctx, 'claim', userId, TRIES);
  const at = ctx.now();
  return ctx.db.transaction().execute(async (db) => {
    await lockBilling(db, userId);
    const deposit = await getUnownedDeposit(db, userId, asked.tx);
    const { tx, sender: wallet, units } = deposit;
    const known = { userId, network: 'solana', tx, wallet, at } as const;
    if (asked.signature === undefined) {
      if (!(await isWaiting(db, userId, 'solana', tx))) {
        await insertClaim(db, { ...known, message: '', proof: '', state: 'waiting' });
        const details = { tx, amount: unitsToUsd(units) };
        await audit(db, { at, actorId: userId, subjectId: userId, action: 'payment.ask', details, network });
      }
      return { state: 'waiting', amount: unitsToUsd(units) };
    }
    const message = verifyProof(ctx, userId, asked, wallet);
    await closeWaiting(db, 'solana', tx, { owner: userId, at });
    await insertClaim(db, { ...known, message, proof: asked.signature, state: 'credited' });
    await credit(ctx, db, userId, { deposit, at, network });
    return { state: 'credited', amount: unitsToUsd(units) };
  });
}

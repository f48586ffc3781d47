import type { z } from 'zod/mini';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { limitPerson, type Origin } from '#features/accounts/server/auth/service.ts';
import type { claimTransfer } from '#features/payments/contract/usdc.ts';
import { creditOf, lockBilling, post } from '#features/payments/server/billing/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { fromBase58 } from '#shared/base58.ts';
import { usdOf } from '#shared/money.ts';
import type { UsdcContext } from './context.ts';
import { claimMessage, findSigned, signatureOf } from './solana/claim-message.ts';
import { closeWaiting, insertClaim, isWaiting, lockDeposit, setOwner } from './store/claims.ts';
import type { Deposit } from './store/deposits.ts';
import { findPayment } from './store/payments.ts';

type Asked = z.output<typeof claimTransfer.body>;
type Claimed = { state: 'credited' | 'waiting'; amount: string };

const TRIES = { most: 10, seconds: 3600 };
const SIGNATURE_BYTES = 64;

function checkTransaction(tx: string): void {
  if (!fromBase58(tx, SIGNATURE_BYTES))
    throw new AppError('bad_request', 'This is not a Solana transaction signature. Please copy the full signature.');
}

/** What the wallet that sent a transfer signs, so that it is credited to this account. */
export function messageFor(ctx: UsdcContext, userId: number, tx: string): string {
  checkTransaction(tx);
  return claimMessage(ctx, userId, tx);
}

/** Money that waits for its owner; anything else is refused. */
async function getUnowned(db: Db, userId: number, tx: string): Promise<Deposit> {
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
  // Nothing takes back what is final: a claim never has to be undone.
  if (deposit.state !== 'final')
    throw new AppError('conflict', 'This transfer is not final yet. Please try again in a minute.');
  return deposit;
}

function provedBy(ctx: UsdcContext, userId: number, { tx, signature: text }: Asked, wallet: string): string {
  const signature = signatureOf(text ?? '');
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
      [creditOf(userId), -units],
    ],
  });
  if (!isPosted) throw new Error(`The claim of ${tx} is booked, but its transfer has no owner`);
  await setOwner(db, deposit, userId);
  const details = { tx, wallet: sender, amount: usdOf(units) };
  await audit(db, { at, actorId: userId, subjectId: userId, action: 'payment.claim', details, network });
  await ctx.live.publishTo(db, userId, accountTopic, { changed: ['payments'] });
}

/**
 * Credits a transfer that nobody's payment explains to whoever signs with the wallet that sent it, once; without a signature it waits for an
 * administrator. A public transaction proves nothing about who names it.
 */
export async function claim(ctx: UsdcContext, userId: number, asked: Asked, { network }: Origin): Promise<Claimed> {
  if (asked.network === 'base')
    throw new AppError(
      'bad_request',
      'On Base every payment has its own address and is credited automatically. There is nothing to claim.',
    );
  checkTransaction(asked.tx);
  await limitPerson(ctx, 'claim', userId, TRIES);
  const at = ctx.now();
  return ctx.db.transaction().execute(async (db) => {
    await lockBilling(db, userId);
    const deposit = await getUnowned(db, userId, asked.tx);
    const { tx, sender: wallet, units } = deposit;
    const known = { userId, network: 'solana', tx, wallet, at } as const;
    if (asked.signature === undefined) {
      if (!(await isWaiting(db, userId, 'solana', tx))) {
        await insertClaim(db, { ...known, message: '', proof: '', state: 'waiting' });
        const details = { tx, amount: usdOf(units) };
        await audit(db, { at, actorId: userId, subjectId: userId, action: 'payment.ask', details, network });
      }
      return { state: 'waiting', amount: usdOf(units) };
    }
    const message = provedBy(ctx, userId, asked, wallet);
    await closeWaiting(db, 'solana', tx, { owner: userId, at });
    await insertClaim(db, { ...known, message, proof: asked.signature, state: 'credited' });
    await credit(ctx, db, userId, { deposit, at, network });
    return { state: 'credited', amount: usdOf(units) };
  });
}

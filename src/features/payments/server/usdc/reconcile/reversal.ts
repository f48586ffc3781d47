import { creditAccount, creditBalance, post, revokeGrant } from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Units } from '#shared/money.ts';

import type { UsdcContext } from '../context.ts';
import { postedIn, readLostUnits } from '../store/audit.ts';
import type { Deposit } from '../store/deposits.ts';
import { listPayments, type StoredPayment, setApplied } from '../store/payments.ts';

/** Name of a deposit in ledger keys. */
export const depositReference = ({ network, tx, idx }: Pick<Deposit, 'network' | 'tx' | 'idx'>): string =>
  `${network}:${tx}:${idx}`;

const ownerAccount = (ownerId: number | null): string => (ownerId === null ? 'suspense' : creditAccount(ownerId));

/** Credits a deposit to its owner's balance, or to suspense while the owner is unknown. */
export async function bookDeposit(tx: Db, deposit: Deposit, ownerId: number | null, at: Date): Promise<void> {
  const name = depositReference(deposit);
  const { generation, network, units } = deposit;
  await post(tx, {
    key: `dep:${name}:${generation}`,
    at,
    about: 'USDC received',
    createdBy: null,
    lines: [
      [`chain:${network}`, units],
      [ownerAccount(ownerId), -units],
    ],
  });
  if (generation === 0 || ownerId === null) return;
  const lost = await readLostUnits(tx, name);
  if (lost <= 0n) return;
  const back = lost < units ? lost : units;
  await post(tx, {
    key: `unloss:${name}:${generation}`,
    at,
    about: 'Lost transfer recovered',
    createdBy: null,
    lines: [
      ['loss', -back],
      [creditAccount(ownerId), back],
    ],
  });
}

export async function reverseDeposit(tx: Db, deposit: Deposit, ownerId: number | null, at: Date): Promise<void> {
  await post(tx, {
    key: `rev:${depositReference(deposit)}:${deposit.generation}`,
    at,
    about: 'Transfer reversed by the network',
    createdBy: null,
    lines: [
      [`chain:${deposit.network}`, -deposit.units],
      [ownerAccount(ownerId), deposit.units],
    ],
  });
}

async function reversePurchase(ctx: UsdcContext, tx: Db, payment: StoredPayment, at: Date): Promise<void> {
  const { id, userId, applications } = payment;
  const source = `wallet:${id}:${applications}`;
  const spent = -(await postedIn(tx, `apply:${id}:${applications}`, 'revenue'));
  const prorated = await postedIn(tx, `prorate:${source}`, 'revenue');
  await post(tx, {
    key: `unapply:${id}:${applications}`,
    at,
    about: 'Deposit reversed by the network',
    createdBy: null,
    lines: [
      ['revenue', spent - prorated],
      [creditAccount(userId), prorated - spent],
    ],
  });
  await setApplied(tx, id, null, applications);
  await revokeGrant(ctx, tx, { source, userId, at, reason: 'Payment reversed by the network' });
}

/**
 * Revokes plans, newest first, until the account's balance is no longer negative. The rest is a loss, booked on the
 * lost deposits and returned.
 */
export async function settleDebt(
  ctx: UsdcContext,
  tx: Db,
  userId: number,
  { gone, isLeft, at }: { gone: readonly Deposit[]; isLeft: boolean; at: Date },
): Promise<Units> {
  let debt = -(await creditBalance(tx, userId));
  if (debt <= 0n) return 0n;
  const applied = (await listPayments(tx, [userId]))
    .filter(({ appliedAt }) => appliedAt !== null)
    .toSorted((a, b) => Number(b.appliedAt) - Number(a.appliedAt) || b.number - a.number);
  // A deleted account has no plan to revoke.
  for (const payment of isLeft ? applied : []) {
    if (debt <= 0n) break;
    await reversePurchase(ctx, tx, payment, at);
    debt = -(await creditBalance(tx, userId));
  }
  const lost = debt > 0n ? debt : 0n;
  for (const deposit of gone) {
    if (debt <= 0n) break;
    const part = debt < deposit.units ? debt : deposit.units;
    await post(tx, {
      key: `loss:${depositReference(deposit)}:${deposit.generation}`,
      at,
      about: 'Reversed by the network after it was spent',
      createdBy: null,
      lines: [
        ['loss', part],
        [creditAccount(userId), -part],
      ],
    });
    debt -= part;
  }
  return lost;
}

import { NETWORK_NAMES, type Payment } from '#features/payments/contract/usdc.ts';
import { periodsOfUser } from '#features/payments/server/billing/service.ts';
import { BRAND } from '#shared/brand.ts';
import { usdOf } from '#shared/money.ts';
import type { UsdcContext } from '../context.ts';
import { flagsOf, inTimeOf, isInTime, paidOf, statusOf } from '../status.ts';
import type { Deposit } from '../store/deposits.ts';
import type { StoredPayment } from '../store/payments.ts';
import { whatOf } from '../words.ts';

/** The end of what this payment bought; null while it has bought nothing. */
async function grantedUntil({ db }: UsdcContext, { id, userId, appliedAt, applications }: StoredPayment) {
  if (!appliedAt) return null;
  const source = `wallet:${id}:${applications}`;
  const period = (await periodsOfUser(db, userId)).find((each) => each.source === source);
  return period ? new Date(period.cut).toISOString() : null;
}

/** A payment as its person sees it. */
export async function viewOf(ctx: UsdcContext, payment: StoredPayment, deposits: readonly Deposit[]): Promise<Payment> {
  const { network, due, expiresAt, address } = payment;
  const rail = ctx.rails[network];
  const owed = { due, expiresAt, isApplied: payment.appliedAt !== null };
  const reference = network === 'solana' ? payment.route : null;
  const open = due - inTimeOf(deposits, expiresAt);
  const units = open > 0n ? open : due;
  return {
    paymentId: payment.id,
    planId: payment.plan,
    network,
    months: payment.months,
    address,
    amount: usdOf(due),
    price: usdOf(payment.price),
    creditUsed: usdOf(payment.creditUsed + payment.proration),
    createdAt: payment.createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    uri: rail.uriOf({
      address,
      reference,
      units,
      label: BRAND.name,
      message: `${whatOf(payment)}, USDC on ${NETWORK_NAMES[network]}`,
    }),
    reference,
    token: rail.token,
    status: statusOf(owed, deposits, ctx.now()),
    flags: flagsOf(owed, deposits),
    paid: usdOf(paidOf(deposits)),
    grantedUntil: await grantedUntil(ctx, payment),
    deposits: deposits.map((deposit) => ({
      tx: deposit.tx,
      url: rail.linkOf(deposit.tx),
      at: deposit.at.toISOString(),
      amount: usdOf(deposit.units),
      sender: deposit.sender,
      state: deposit.state,
      isLate: !isInTime(deposit, expiresAt),
    })),
    demoWallet: rail.demoWalletOf?.({ address, reference, units, expiresAt }) ?? null,
  };
}

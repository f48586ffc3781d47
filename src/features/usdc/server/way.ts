import type { BillingEntry } from '#features/billing/contract.ts';
import type { Receipt, Way } from '#features/billing/server/service.ts';
import { usdOf } from '#shared/money.ts';

import { NETWORK_NAMES } from '../contract.ts';
import type { UsdcContext } from './context.ts';
import { closedOf } from './service/refusals.ts';
import { flagsOf, paidOf, statusOf } from './status.ts';
import { type Deposit, depositsOfPayments } from './store/deposits.ts';
import { findPayment, paymentsOf, type StoredPayment } from './store/payments.ts';
import { whatOf } from './words.ts';

const NUMBER_DIGITS = 6;

const owedOf = ({ due, expiresAt, appliedAt }: StoredPayment) => ({ due, expiresAt, isApplied: appliedAt !== null });

/** What was bought is one line; an offer that nobody paid is another only while it is open. */
function entryOf(payment: StoredPayment, deposits: readonly Deposit[], now: Date): BillingEntry | undefined {
  const status = statusOf(owedOf(payment), deposits, now);
  const paid = paidOf(deposits);
  const isApplied = payment.appliedAt !== null;
  if (!isApplied && paid === 0n && status === 'expired') return undefined;
  // A part that has come is on the balance while the rest is awaited: the offer is open still.
  const isKept = status !== 'underpaid' && flagsOf(owedOf(payment), deposits).includes('credited');
  const title = `${whatOf(payment)}, USDC on ${NETWORK_NAMES[payment.network]}`;
  return {
    id: payment.id,
    at: (payment.appliedAt ?? payment.createdAt).toISOString(),
    title: isKept ? `${title}: kept as credit` : title,
    method: payment.due === 0n ? 'credit' : payment.network,
    amount: usdOf(isApplied || paid > 0n ? paid : payment.due),
    state: isApplied || isKept ? 'paid' : status === 'expired' ? 'expired' : 'open',
    receipt: isApplied ? `/api/billing/receipts/${payment.id}` : null,
  };
}

function receiptOf(payment: StoredPayment, deposits: readonly Deposit[]): Receipt {
  const live = deposits.filter(({ state }) => state === 'confirmed' || state === 'final');
  const paid = paidOf(live);
  const from = (what: string, units: bigint): [string, string][] => (units > 0n ? [[what, usdOf(-units)]] : []);
  const over = paid - (payment.price - payment.creditUsed - payment.proration);
  const network = NETWORK_NAMES[payment.network];
  return {
    number: `M-${payment.network === 'base' ? 'B' : 'S'}-${String(payment.number).padStart(NUMBER_DIGITS, '0')}`,
    at: payment.appliedAt ?? payment.createdAt,
    lines: [
      [whatOf(payment), usdOf(payment.price)],
      ...from('Rest of Pro', payment.proration),
      ...from('From the balance', payment.creditUsed),
      ...(over > 0n ? [['Kept as credit', usdOf(over)] as const] : []),
    ],
    total: usdOf(paid),
    paidBy:
      live.length === 0
        ? 'Credit'
        : `USDC on ${network}, ${live.length === 1 ? 'transaction' : 'transactions'} ${live.map(({ tx }) => tx).join(', ')}`,
  };
}

/** Payment by USDC as billing sees it. */
export function usdcWay(ctx: UsdcContext): Way {
  const { db, now } = ctx;
  return {
    methods: () => ({ base: closedOf(ctx, 'base'), solana: closedOf(ctx, 'solana') }),
    async entriesOf(userId) {
      const payments = await paymentsOf(db, [userId]);
      const deposits = await depositsOfPayments(
        db,
        payments.map(({ id }) => id),
      );
      return payments.flatMap(
        (payment) =>
          entryOf(
            payment,
            deposits.filter(({ paymentId }) => paymentId === payment.id),
            now(),
          ) ?? [],
      );
    },
    async findReceipt(userId, id) {
      const payment = await findPayment(db, id, userId);
      if (!payment?.appliedAt) return undefined;
      return receiptOf(payment, await depositsOfPayments(db, [id]));
    },
  };
}

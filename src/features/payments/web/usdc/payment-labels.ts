import { NETWORK_NAMES, type Payment, type PaymentFlag, type PaymentStatus } from '#features/payments/contract/usdc.ts';
import { type Units, unitsToUsd, usdToUnits } from '#shared/money.ts';
import type { Tone } from '#ui/badge.tsx';
import { dayOf } from '#ui/day.ts';

export const PLAN_WORDS: Record<Payment['planId'], string> = { pro: 'Pro', premium: 'Premium+' };

export const STATUS_NAMES: Record<PaymentStatus, string> = {
  pending: 'Waiting for your payment',
  underpaid: 'Partially paid',
  detected: 'Payment detected',
  confirmed: 'Payment confirmed',
  settled: 'Payment settled',
  expired: 'Expired',
};

export const STATUS_TONES: Record<PaymentStatus, Tone> = {
  pending: 'plain',
  underpaid: 'warn',
  detected: 'accent',
  confirmed: 'up',
  settled: 'up',
  expired: 'down',
};

const units = (usdc: string): Units => usdToUnits(usdc) ?? 0n;

/** Amount still to be sent. */
export function remainingAmount({ amount, paid }: Pick<Payment, 'amount' | 'paid'>): string {
  const left = units(amount) - units(paid);
  return unitsToUsd(left > 0n ? left : 0n);
}

/** The part of the amount above price minus credit: it identifies the payment where there is no reference. */
export function amountMark({
  amount,
  price,
  creditUsed,
}: Pick<Payment, 'amount' | 'price' | 'creditUsed'>): string | null {
  const due = units(price) - units(creditUsed);
  const mark = units(amount) - (due > 0n ? due : 0n);
  return mark > 0n ? unitsToUsd(mark) : null;
}

/** True once the plan is granted. */
export const hasBought = ({ status, grantedUntil }: Pick<Payment, 'status' | 'grantedUntil'>): boolean =>
  grantedUntil !== null && (status === 'confirmed' || status === 'settled');

/** True while money can be sent for it. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean => status === 'pending' || status === 'underpaid';

/** What happened and what to do, in one or two sentences. */
export function statusWords(payment: Payment): string {
  const { status, network, amount, paid, grantedUntil, planId } = payment;
  const chain = NETWORK_NAMES[network];
  if (status === 'pending')
    return `Send exactly ${amount} USDC on ${chain}. This window updates automatically, usually within a minute.`;
  if (status === 'underpaid')
    return `${paid} of ${amount} USDC received. Send the remaining ${remainingAmount(payment)} USDC to the same address before the payment expires${network === 'solana' ? ', using the code so that it is matched to this payment' : ''}.`;
  if (status === 'detected')
    return `The full amount was detected on ${chain}. Do not send more; your plan starts once the network confirms it.`;
  if (status === 'expired')
    return 'This payment has expired. Do not send more. Anything received goes to your balance.';
  if (grantedUntil === null) return 'The payment has been received and credited to your balance.';
  const holds = `${PLAN_WORDS[planId]} is yours until ${dayOf(grantedUntil)}.`;
  return status === 'confirmed' ? `${holds} The payment becomes final in a few minutes.` : holds;
}

const WAITING: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(['pending', 'underpaid', 'detected']);

/** Explains a flag of the payment. */
export function flagWords(flag: PaymentFlag, { status, network }: Pick<Payment, 'status' | 'network'>): string {
  if (flag === 'partial')
    return status === 'expired'
      ? 'Less than the full amount was received. It is on your balance and applies to your next purchase.'
      : 'Less than the full amount was received. Exchanges often deduct their fee from the amount sent.';
  if (flag === 'overpaid')
    return 'More than the full amount was received. The difference is on your balance and applies to your next purchase.';
  if (flag === 'late') return 'The transfer arrived after the payment expired. It was added to your balance.';
  if (flag === 'credited' && WAITING.has(status))
    return 'The amount received is on your balance. It pays for the plan once the rest arrives.';
  if (flag === 'credited')
    return 'The payment was not applied to this plan and is on your balance. Choose the plan again to use it.';
  return `A token other than USDC was received. Only USDC on ${NETWORK_NAMES[network]} can be credited. Please contact us.`;
}

/** '14:58' until the time runs out, then 'Expired'. */
export function countdownText(leftMs: number): string {
  if (leftMs <= 0) return 'Expired';
  const seconds = Math.ceil(leftMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (value: number) => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** The payment URI with the amount replaced by what is left to pay. */
export function askingFor(payment: Payment, uri: string): string {
  if (payment.status !== 'underpaid') return uri;
  const left = remainingAmount(payment);
  return uri.replace(/([?&]uint256=)\d+/, `$1${units(left)}`).replace(/([?&]amount=)[\d.]+/, `$1${left}`);
}

import type { PaymentFlag, PaymentStatus } from '#features/payments/contract/usdc.ts';
import type { Units } from '#shared/money.ts';

/** A payment short by no more than this counts as paid: exchanges round. */
export const TOLERANCE: Units = 10_000n;

export type StoredDeposit = {
  state: 'seen' | 'confirmed' | 'final' | 'orphaned' | 'foreign';
  /** Block time, by the clock of the chain. */
  at: Date;
  /** By our own clock. */
  seenAt: Date;
  units: Units;
  isCredited: boolean;
};

export type AmountDue = { due: Units; expiresAt: Date; isApplied: boolean };

/** In time by either clock: the two need not agree. */
export const isInTime = ({ at, seenAt }: Pick<StoredDeposit, 'at' | 'seenAt'>, expiresAt: Date): boolean =>
  at <= expiresAt || seenAt <= expiresAt;

export const isCovered = (paid: Units, due: Units): boolean => paid > 0n && paid >= due - TOLERANCE;

const LIVE = new Set<StoredDeposit['state']>(['seen', 'confirmed', 'final']);

const sumUnits = (deposits: readonly StoredDeposit[]): Units => deposits.reduce((sum, { units }) => sum + units, 0n);

/** USDC received, late or not. */
export const paidUnits = (deposits: readonly StoredDeposit[]): Units =>
  sumUnits(deposits.filter(({ state }) => LIVE.has(state)));

/** USDC received in time, at least seen. */
export const onTimeUnits = (deposits: readonly StoredDeposit[], expiresAt: Date): Units =>
  paidUnits(deposits.filter((deposit) => isInTime(deposit, expiresAt)));

/** Derived from the deposits; `isApplied` matters only for a payment with nothing due. */
export function paymentStatus(
  { due, expiresAt, isApplied }: AmountDue,
  deposits: readonly StoredDeposit[],
  now: Date,
): PaymentStatus {
  if (due === 0n && isApplied) return 'settled';
  const counting = deposits.filter((deposit) => LIVE.has(deposit.state) && isInTime(deposit, expiresAt));
  if (isCovered(sumUnits(counting.filter(({ state }) => state === 'final')), due)) return 'settled';
  if (isCovered(sumUnits(counting.filter(({ state }) => state !== 'seen')), due)) return 'confirmed';
  const seen = sumUnits(counting);
  if (isCovered(seen, due)) return 'detected';
  if (now > expiresAt) return 'expired';
  return seen > 0n ? 'underpaid' : 'pending';
}

export function paymentFlags(
  { due, expiresAt, isApplied }: AmountDue,
  deposits: readonly StoredDeposit[],
): PaymentFlag[] {
  const live = deposits.filter(({ state }) => LIVE.has(state));
  const inTime = onTimeUnits(live, expiresAt);
  const flags: PaymentFlag[] = [];
  if (inTime > 0n && !isCovered(inTime, due)) flags.push('partial');
  if (sumUnits(live) > due) flags.push('overpaid');
  if (live.some((deposit) => !isInTime(deposit, expiresAt))) flags.push('late');
  if (!isApplied && live.some(({ isCredited }) => isCredited)) flags.push('credited');
  if (deposits.some(({ state }) => state === 'foreign')) flags.push('foreign');
  return flags;
}

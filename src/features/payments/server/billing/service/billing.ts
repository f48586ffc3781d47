import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { getUser } from '#features/accounts/server/auth/service.ts';
import type { Billing, BillingEntry } from '#features/payments/contract/billing.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import { unitsToUsd } from '#shared/money.ts';
import type { BillingContext } from '../context.ts';
import { computePeriods, type Grant } from '../plan-periods.ts';
import { receiptPdf } from '../receipt-pdf.ts';
import { type CreditEntry, findCreditEntries, findGrants } from '../store.ts';
import { creditAccount, creditBalance } from './grants.ts';
import { trialRefusal } from './trial.ts';

const counted = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`);

function durationText({ months, days }: Pick<Grant, 'months' | 'days'>): string {
  const parts = [months > 0 ? counted(months, 'month') : '', days > 0 ? counted(days, 'day') : ''];
  return parts.filter((part) => part !== '').join(' and ');
}

/** Entries for grants without a payment; payment methods report their own entries. */
function giftEntries(grant: Grant & { isRevoked: boolean }): BillingEntry[] {
  const isTrial = grant.source.startsWith('trial:');
  if (!isTrial && !grant.source.startsWith('admin:')) return [];
  const what = isTrial
    ? `${PLAN_NAMES[grant.plan]} trial, ${durationText(grant)}`
    : `${PLAN_NAMES[grant.plan]}, ${durationText(grant)}, a gift`;
  return [
    {
      id: grant.source,
      at: grant.goodAt.toISOString(),
      title: grant.isRevoked ? `${what} (revoked)` : what,
      method: 'none',
      amount: unitsToUsd(0n),
      state: 'given',
      receipt: null,
    },
  ];
}

/** Liabilities are negative in the ledger, and so are refunds. */
function toCreditEntry({ key, at, units }: CreditEntry): BillingEntry {
  const rest = units < 0n ? 'Credit for unused Pro time' : 'Credit for unused Pro time, taken back';
  const byHand = units < 0n ? 'Goodwill credit' : 'Credit adjustment';
  return {
    id: key,
    at: at.toISOString(),
    title: key.startsWith('prorate:') ? rest : byHand,
    method: 'credit',
    amount: unitsToUsd(units),
    state: 'given',
    receipt: null,
  };
}

export async function readBilling(ctx: BillingContext, { userId }: Pick<Caller, 'userId'>): Promise<Billing> {
  const { db, ways } = ctx;
  const now = ctx.now().getTime();
  const [credit, card, grants, credits, why, ...ofWays] = await Promise.all([
    creditBalance(db, userId),
    ctx.cardOf(userId),
    findGrants(db, userId),
    findCreditEntries(db, creditAccount(userId)),
    trialRefusal(ctx, db, userId),
    ...ways.map((way) => way.entriesOf(userId)),
  ]);
  const upcoming = computePeriods(grants.filter(({ isRevoked }) => !isRevoked))
    .filter(({ start, cut }) => start > now && cut > start)
    .toSorted((a, b) => a.start - b.start);
  return {
    credit: unitsToUsd(credit),
    card,
    upcoming: upcoming.map(({ plan, start, cut }) => ({
      plan,
      startsAt: new Date(start).toISOString(),
      endsAt: new Date(cut).toISOString(),
    })),
    canTry: why === null,
    entries: [...ofWays.flat(), ...grants.flatMap(giftEntries), ...credits.map(toCreditEntry)].toSorted(
      (a, b) => Date.parse(b.at) - Date.parse(a.at),
    ),
  };
}

/** Receipt for a payment of the caller, by any method. */
export async function drawReceipt(
  ctx: BillingContext,
  { userId }: Pick<Caller, 'userId'>,
  id: string,
): Promise<{ number: string; bytes: Buffer }> {
  for (const way of ctx.ways) {
    const receipt = await way.findReceipt(userId, id);
    if (!receipt) continue;
    const { email } = await getUser(ctx.db, userId);
    const seller = (ctx.config.SELLER ?? BRAND.name).split(';').map((line) => line.trim());
    return { number: receipt.number, bytes: await receiptPdf({ receipt, to: email, seller }) };
  }
  throw new AppError('not_found', 'Receipt not found');
}

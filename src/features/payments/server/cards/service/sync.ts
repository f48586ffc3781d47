import { accountTopic } from '#features/accounts/contract/auth.ts';
import {
  addGrant,
  creditAccount,
  creditBalance,
  lockBilling,
  paymentFailedMail,
  post,
  readPeriods,
  revokeGrant,
} from '#features/payments/server/billing/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Units } from '#shared/money.ts';

import { asking, type CardsContext } from '../context.ts';
import {
  findGrant,
  findInvoice,
  type InvoiceRow,
  insertEvent,
  insertNotice,
  isSeen,
  readPostings,
  type SeenEvent,
  setRefunded,
  upsertInvoice,
} from '../store/invoices.ts';
import { endSubscription, findOwner, readVersion, upsertSubscription } from '../store/subscriptions.ts';
import {
  type InvoiceSnapshot,
  type Returned,
  readReturned,
  readSubscription,
  type Subject,
  type SubscriptionSnapshot,
} from '../stripe-snapshot.ts';
import { cutRemaining, grantSource, min, settle } from './settle.ts';

const disputeSource = (id: string) => `stripe:dispute:${id}`;

const sum = (units: readonly Units[]): Units => units.reduce((a, b) => a + b, 0n);

/**
 * Books money returned to the card against whatever the payment became. `units` is negative for money that comes back.
 */
async function refundedUnits(
  tx: Db,
  invoice: InvoiceRow,
  entry: { key: string; at: Date; about: string },
  units: Units,
) {
  const lines = await readPostings(tx, invoice.id);
  const payment = lines.find(({ key, account }) => key === `card:${invoice.id}` && account !== 'stripe');
  const from = payment?.account ?? 'revenue';
  const isCredit = from === creditAccount(invoice.user_id);
  const applied = isCredit && units > 0n ? min(units, await creditBalance(tx, invoice.user_id)) : units;
  await post(tx, {
    ...entry,
    createdBy: null,
    lines: [
      ['stripe', -units],
      [from, applied],
      ['loss', units - applied],
    ],
  });
}

/** Returns the credit used in a purchase, less its proration. */
async function restoreCredit(tx: Db, invoice: InvoiceRow, at: Date, rest: Units): Promise<void> {
  const credit = creditAccount(invoice.user_id);
  const lines = await readPostings(tx, invoice.id);
  const own = new Set([`card-credit:${invoice.id}`, `prorate:${grantSource(invoice.id)}`]);
  const used = sum(lines.filter(({ key, account }) => own.has(key) && account === credit).map(({ units }) => units));
  const isLate = lines.some(({ key }) => key === `prorate:${grantSource(invoice.id)}`);
  const owed = used - (isLate ? 0n : rest);
  const back = owed >= 0n ? owed : -min(-owed, await creditBalance(tx, invoice.user_id));
  if (back === 0n) return;
  await post(tx, {
    key: `card-refund:${invoice.id}:credit`,
    at,
    about: 'Credit from a refunded purchase',
    createdBy: null,
    lines: [
      ['revenue', back],
      [credit, -back],
    ],
  });
}

/** Revokes the plan an invoice paid for; with `isFinal` the credit it used is settled too. */
async function reversePurchase(ctx: CardsContext, tx: Db, invoice: InvoiceRow, reason: string, isFinal: boolean) {
  const source = grantSource(invoice.id);
  const at = ctx.now();
  const periods = await readPeriods(tx, invoice.user_id);
  const rest = cutRemaining(periods.find((period) => period.source === source));
  if (isFinal) await restoreCredit(tx, invoice, at, rest);
  await revokeGrant(ctx, tx, { source, userId: invoice.user_id, at, reason });
  if (!isFinal) return;
  for (const { key } of await readPostings(tx, invoice.id)) {
    const [, dispute] = /^card-refund:[^:]+:([^:]+):won$/.exec(key) ?? [];
    if (dispute) await revokeGrant(ctx, tx, { source: disputeSource(dispute), userId: invoice.user_id, at, reason });
  }
}

/** Books a refund and revokes the plan, within the transaction that read it; idempotent. */
async function restorePurchase(ctx: CardsContext, tx: Db, returned: Returned, isOwned: boolean): Promise<void> {
  const invoice = await findInvoice(tx, returned.invoiceId);
  if (!invoice) return;
  const at = ctx.now();
  const key = `card-refund:${invoice.id}`;
  if (returned.kind === 'refund') {
    const more = returned.total - BigInt(invoice.units_refunded);
    if (more > 0n) {
      await refundedUnits(tx, invoice, { key: `${key}:${returned.total}`, at, about: 'Refund to the card' }, more);
      await setRefunded(tx, invoice.id, returned.total);
    }
    if (returned.isFull && isOwned) await reversePurchase(ctx, tx, invoice, 'refunded', true);
    return;
  }
  const { id, units, status } = returned;
  await refundedUnits(tx, invoice, { key: `${key}:${id}`, at, about: 'Held by the bank (dispute)' }, units);
  if (status === 'won') await refundedUnits(tx, invoice, { key: `${key}:${id}:won`, at, about: 'Dispute won' }, -units);
  if (!isOwned) return;
  await reversePurchase(ctx, tx, invoice, 'disputed', status === 'lost');
  const grant = status === 'won' ? await findGrant(tx, grantSource(invoice.id)) : undefined;
  if (!grant) return;
  const again = { source: disputeSource(id), days: 0, userId: invoice.user_id, at, createdBy: null };
  await addGrant(ctx, tx, { ...grant, ...again, note: 'Restored: dispute won' });
}

export type Outcome = 'done' | 'duplicate' | 'ignored';

const TRIES = 30;

/**
 * Stores the current state of a subscription at Stripe: an event is only a hint to re-read. No lock is held during the
 * request. A reading is stored only when nothing was written since it began, so a slow one cannot overwrite a newer one
 * from any process.
 */
export async function sync(ctx: CardsContext, subject: Subject, event?: SeenEvent): Promise<Outcome> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (event && (await isSeen(ctx.db, event.id))) return 'duplicate';
    const version = await readVersion(ctx.db, subject.subscriptionId);
    const sub = await asking(ctx, (stripe) => readSubscription(stripe, subject.subscriptionId));
    if (sub === 'foreign' || sub === 'unknown') return ignoreSubject(ctx, subject, sub, event);
    const returned = await asking(ctx, (stripe) => readReturned(stripe, subject));
    const outcome = await ctx.db.transaction().execute(async (tx) => {
      await lockBilling(tx, sub.userId);
      if ((await readVersion(tx, sub.id)) !== version) return 'again';
      if (event && !(await insertEvent(tx, event, ctx.now()))) return 'duplicate';
      await write(ctx, tx, sub, returned);
      return 'done';
    });
    if (outcome !== 'again') return outcome;
  }
  throw new AppError('unavailable', 'This subscription is being changed too often. Please try again in a moment.');
}

async function ignoreSubject(
  ctx: CardsContext,
  { subscriptionId }: Subject,
  why: 'foreign' | 'unknown',
  event: SeenEvent | undefined,
): Promise<Outcome> {
  if (why === 'unknown') await endSubscription(ctx.db, subscriptionId, ctx.now());
  if (event) await insertEvent(ctx.db, event, ctx.now());
  return 'ignored';
}

async function write(
  ctx: CardsContext,
  tx: Db,
  sub: SubscriptionSnapshot,
  returned: Returned | undefined,
): Promise<void> {
  const owner = await findOwner(tx, sub.userId);
  await upsertSubscription(tx, sub, ctx.now());
  for (const invoice of sub.invoices) {
    await upsertInvoice(tx, sub, invoice);
    if (invoice.status === 'paid' && !invoice.isFree) await settle(ctx, tx, sub, invoice, owner !== undefined);
    if (invoice.isRefused && owner && !owner.isDisabled) await reportRefused(ctx, tx, sub, invoice, owner.email);
  }
  if (returned) await restorePurchase(ctx, tx, returned, owner !== undefined);
  if (owner) await ctx.live.publishTo(tx, sub.userId, accountTopic, { changed: ['payments'] });
}

/** One email per invoice, however often the card is retried. */
async function reportRefused(
  ctx: CardsContext,
  tx: Db,
  sub: SubscriptionSnapshot,
  invoice: InvoiceSnapshot,
  to: string,
) {
  if (!(await insertNotice(tx, `card-refused:${invoice.id}`, sub.userId, ctx.now()))) return;
  const link = `${ctx.publicUrl()}/app/profile?tab=subscription`;
  const { due: units, nextTry } = invoice;
  await ctx.mail.enqueue(tx, await paymentFailedMail({ to, plan: sub.plan, units, at: ctx.now(), nextTry, link }));
}

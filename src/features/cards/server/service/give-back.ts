import {
  addGrant,
  creditBalance,
  creditOf,
  periodsOfUser,
  post,
  revokeGrant,
} from '#features/billing/server/service.ts';
import type { Db } from '#server/platform/db.ts';
import type { Units } from '#shared/money.ts';

import type { CardsContext } from '../context.ts';
import { findGrant, findInvoice, type InvoiceRow, postingsOf, setRefunded } from '../store/invoices.ts';
import type { Returned } from '../truth.ts';
import { cutRest, least, sourceOf } from './settle.ts';

const disputeOf = (id: string) => `stripe:dispute:${id}`;

const sum = (units: readonly Units[]): Units => units.reduce((a, b) => a + b, 0n);

/** Books that money went back to the card; what a payment became is what it is taken from. `units` below zero for money that comes again. */
async function moneyBack(tx: Db, invoice: InvoiceRow, entry: { key: string; at: Date; about: string }, units: Units) {
  const lines = await postingsOf(tx, invoice.id);
  const payment = lines.find(({ key, account }) => key === `card:${invoice.id}` && account !== 'stripe');
  const from = payment?.account ?? 'revenue';
  const isCredit = from === creditOf(invoice.user_id);
  const there = isCredit && units > 0n ? least(units, await creditBalance(tx, invoice.user_id)) : units;
  await post(tx, {
    ...entry,
    createdBy: null,
    lines: [
      ['stripe', -units],
      [from, there],
      ['loss', units - there],
    ],
  });
}

/** The credit that went into a purchase comes back, less what its proration had given. */
async function creditBack(tx: Db, invoice: InvoiceRow, at: Date, rest: Units): Promise<void> {
  const credit = creditOf(invoice.user_id);
  const lines = await postingsOf(tx, invoice.id);
  const own = new Set([`card-credit:${invoice.id}`, `prorate:${sourceOf(invoice.id)}`]);
  const used = sum(lines.filter(({ key, account }) => own.has(key) && account === credit).map(({ units }) => units));
  const isLate = lines.some(({ key }) => key === `prorate:${sourceOf(invoice.id)}`);
  const owed = used - (isLate ? 0n : rest);
  const back = owed >= 0n ? owed : -least(-owed, await creditBalance(tx, invoice.user_id));
  if (back === 0n) return;
  await post(tx, {
    key: `card-refund:${invoice.id}:credit`,
    at,
    about: 'Credit of a refunded purchase',
    createdBy: null,
    lines: [
      ['revenue', back],
      [credit, -back],
    ],
  });
}

/** Takes the plan back that an invoice paid for; with `isFinal` the credit in it is settled too. */
async function takeBack(ctx: CardsContext, tx: Db, invoice: InvoiceRow, reason: string, isFinal: boolean) {
  const source = sourceOf(invoice.id);
  const at = ctx.now();
  const periods = await periodsOfUser(tx, invoice.user_id);
  const rest = cutRest(periods.find((period) => period.source === source));
  if (isFinal) await creditBack(tx, invoice, at, rest);
  await revokeGrant(ctx, tx, { source, userId: invoice.user_id, at, reason });
  if (!isFinal) return;
  for (const { key } of await postingsOf(tx, invoice.id)) {
    const [, dispute] = /^card-refund:[^:]+:([^:]+):won$/.exec(key) ?? [];
    if (dispute) await revokeGrant(ctx, tx, { source: disputeOf(dispute), userId: invoice.user_id, at, reason });
  }
}

/** Books what went back and takes the plan with it, within the transaction that has read it; the same again changes nothing. */
export async function giveBack(ctx: CardsContext, tx: Db, returned: Returned, isOwned: boolean): Promise<void> {
  const invoice = await findInvoice(tx, returned.invoiceId);
  if (!invoice) return;
  const at = ctx.now();
  const key = `card-refund:${invoice.id}`;
  if (returned.kind === 'refund') {
    const more = returned.total - BigInt(invoice.units_refunded);
    if (more > 0n) {
      await moneyBack(tx, invoice, { key: `${key}:${returned.total}`, at, about: 'Refund to the card' }, more);
      await setRefunded(tx, invoice.id, returned.total);
    }
    if (returned.isFull && isOwned) await takeBack(ctx, tx, invoice, 'refunded', true);
    return;
  }
  const { id, units, status } = returned;
  await moneyBack(tx, invoice, { key: `${key}:${id}`, at, about: 'Held by the bank: a dispute' }, units);
  if (status === 'won')
    await moneyBack(tx, invoice, { key: `${key}:${id}:won`, at, about: 'The dispute was decided for us' }, -units);
  if (!isOwned) return;
  await takeBack(ctx, tx, invoice, 'disputed', status === 'lost');
  const grant = status === 'won' ? await findGrant(tx, sourceOf(invoice.id)) : undefined;
  if (!grant) return;
  const again = { source: disputeOf(id), days: 0, userId: invoice.user_id, at, createdBy: null };
  await addGrant(ctx, tx, { ...grant, ...again, note: 'Given again: the dispute was decided for us' });
}

import { randomUUID } from 'node:crypto';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { requireProof } from '#features/accounts/server/auth/service.ts';
import type { AdminPayment, addCredit, assignSuspense, SuspenseItem } from '#features/payments/contract/books.ts';
import {
  type BillingContext,
  creditAccount,
  creditBalance,
  lockBilling,
  post,
} from '#features/payments/server/billing/service.ts';
import type { Usdc } from '#features/payments/server/usdc/service.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller, Input } from '#kernel/route.ts';
import type { Plan } from '#shared/contract.ts';
import { unitsToUsd, usdToUnits } from '#shared/money.ts';
import {
  decideClaims,
  findCursors,
  findSuspense,
  findUserId,
  findWaitingClaims,
  newestPayments,
  type PaymentRow,
  sumsByAccount,
  takeSuspense,
} from './store.ts';

export type BooksDeps = { billing: BillingContext; usdc: Usdc };

const PAGE = 50;
const METHODS = ['card', 'base', 'solana'] as const;

export async function readBooks({ billing, usdc }: BooksDeps) {
  const { db, config } = billing;
  const [sums, cursors] = await Promise.all([sumsByAccount(db), findCursors(db)]);
  const closed = Object.assign({}, ...billing.ways.map((way) => way.methods())) as Record<string, string | null>;
  const goesTo = { card: null, base: config.PAY_BASE_TREASURY ?? null, solana: config.PAY_SOLANA_WALLET ?? null };
  const sum = (account: string) => sums.get(account) ?? 0n;
  const outstandingCredit = (account: string) => unitsToUsd(-sum(account));
  return {
    rails: METHODS.map((method) => ({
      method,
      closed: closed[method] ?? null,
      goesTo:
        method === 'base' && usdc.ctx.config.PAY_BASE_XPUB ? 'addresses of the extended public key' : goesTo[method],
      head: cursors.get(method)?.head ?? null,
      lookedAt: cursors.get(method)?.lookedAt ?? null,
    })),
    held: {
      base: unitsToUsd(sum('chain:base')),
      solana: unitsToUsd(sum('chain:solana')),
      stripe: unitsToUsd(sum('stripe')),
    },
    credit: outstandingCredit('credit'),
    suspense: outstandingCredit('suspense'),
    revenue: outstandingCredit('revenue'),
    goodwill: unitsToUsd(sum('goodwill')),
    loss: unitsToUsd(sum('loss')),
    difference: unitsToUsd([...sums.values()].reduce((total, units) => total + units, 0n)),
  };
}

function paymentState({ method, status, paid, due, refunded, is_applied, is_over }: PaymentRow): AdminPayment['state'] {
  if (BigInt(refunded) > 0n) return 'refunded';
  if (method === 'card') return status === 'paid' ? 'applied' : status === 'open' ? 'open' : 'failed';
  if (is_applied) return 'applied';
  if (BigInt(paid) >= BigInt(due) && BigInt(paid) > 0n) return 'paid';
  if (is_over) return 'expired';
  return BigInt(paid) > 0n ? 'partial' : 'open';
}

function paymentTitle({ plan, months }: PaymentRow): string {
  if (!plan) return 'Invoice';
  return `${PLAN_NAMES[plan as Plan]}, ${months === 1 ? '1 month' : `${months} months`}`;
}

export async function listPayments(
  { billing: { db, now } }: BooksDeps,
  { q, before }: { q?: string | undefined; before?: string | undefined },
): Promise<{ payments: AdminPayment[]; more: boolean }> {
  const rows = await newestPayments(db, { q, before, now: now(), count: PAGE + 1 });
  return {
    more: rows.length > PAGE,
    payments: rows.slice(0, PAGE).map((row) => ({
      id: row.id,
      at: row.at,
      userId: row.user_id,
      email: row.email,
      method: row.method,
      what: paymentTitle(row),
      due: unitsToUsd(BigInt(row.due)),
      paid: unitsToUsd(BigInt(row.paid)),
      state: paymentState(row),
    })),
  };
}

export async function listSuspense({ billing: { db } }: BooksDeps): Promise<SuspenseItem[]> {
  const [items, claims] = await Promise.all([findSuspense(db), findWaitingClaims(db)]);
  return items.map(({ units, ...item }) => ({
    ...item,
    amount: unitsToUsd(BigInt(units)),
    claims: claims
      .filter(({ network, tx }) => network === item.network && tx === item.tx)
      .map(({ id, user_id, email, wallet, created_at }) => ({
        id,
        userId: user_id,
        email,
        wallet,
        createdAt: created_at,
      })),
  }));
}

async function getUserId(db: Db, email: string): Promise<number> {
  const id = await findUserId(db, email);
  if (id === undefined) throw new AppError('not_found', 'No account with this email address');
  return id;
}

export async function assign(
  { billing }: BooksDeps,
  caller: Caller,
  { network, tx: hash, idx, email, note }: Input<typeof assignSuspense>['body'],
) {
  await requireProof(billing, caller);
  const ownerId = await getUserId(billing.db, email);
  const at = billing.now();
  const deposit = { network, tx: hash, idx };
  return billing.db.transaction().execute(async (tx) => {
    await lockBilling(tx, ownerId);
    const taken = await takeSuspense(tx, deposit, ownerId);
    if (!taken) throw new AppError('conflict', 'This deposit does not exist, is not final yet or is already assigned');
    const units = BigInt(taken.units);
    await post(tx, {
      key: `claim:${network}:${hash}:${idx}`,
      at,
      about: note,
      createdBy: caller.userId,
      lines: [
        ['suspense', units],
        [creditAccount(ownerId), -units],
      ],
    });
    await decideClaims(tx, deposit, { ownerId, adminId: caller.userId, at });
    const details = { network, tx: hash, idx, amount: unitsToUsd(units), note };
    await audit(tx, { at, actorId: caller.userId, subjectId: ownerId, action: 'suspense.assign', details });
    await billing.live.publishTo(tx, ownerId, accountTopic, { changed: ['payments'] });
    return { success: true as const, credit: unitsToUsd(await creditBalance(tx, ownerId)) };
  });
}

export async function credit(
  { billing }: BooksDeps,
  caller: Caller,
  { email, amount, note }: Input<typeof addCredit>['body'],
) {
  await requireProof(billing, caller);
  const units = usdToUnits(amount) ?? 0n;
  if (units === 0n) throw new AppError('bad_request', 'Enter an amount other than zero');
  const userId = await getUserId(billing.db, email);
  const at = billing.now();
  return billing.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    await post(tx, {
      key: `admin:${randomUUID()}`,
      at,
      about: note,
      createdBy: caller.userId,
      lines: [
        ['goodwill', units],
        [creditAccount(userId), -units],
      ],
    });
    const details = { amount: unitsToUsd(units), note };
    await audit(tx, { at, actorId: caller.userId, subjectId: userId, action: 'credit.add', details });
    await billing.live.publishTo(tx, userId, accountTopic, { changed: ['payments'] });
    return { success: true as const, credit: unitsToUsd(await creditBalance(tx, userId)) };
  });
}

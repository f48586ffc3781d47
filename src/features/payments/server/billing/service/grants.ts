import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type AuthContext, notifyAccountChange } from '#features/accounts/server/auth/service.ts';
import { addFact, latestFacts } from '#features/accounts/server/subscriptions/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Units } from '#shared/money.ts';

import { planStartedMail } from '../mails.ts';
import { computePeriods, deriveFacts, diffFacts, type Grant, type PaidPlan, type Period } from '../plan-periods.ts';
import {
  findAddress,
  findGrants,
  insertEntry,
  insertGrant,
  insertRevocation,
  lockBilling,
  type NewEntry,
  type NewGrant,
  readBalance,
} from '../store.ts';

type Context = Pick<AuthContext, 'mail' | 'publicUrl'> & { live: Live };

/** The paid periods of an account without its revoked grants; `more` adds hypothetical grants. */
export async function readPeriods(db: Db, userId: number, more: readonly Grant[] = []): Promise<Period[]> {
  const grants = await findGrants(db, userId);
  return computePeriods([...grants.filter(({ isRevoked }) => !isRevoked), ...more]);
}

/**
 * Adds a grant once per source, within the caller's transaction; false when that source was granted before. The
 * account's plan, its open pages and every process are updated at commit; the purchase is confirmed by email.
 */
export async function addGrant(ctx: Context, tx: Db, grant: NewGrant): Promise<boolean> {
  await lockBilling(tx, grant.userId);
  if (!(await insertGrant(tx, grant))) return false;
  await applyPeriods(ctx, tx, grant.userId, grant.at);
  await notifyBuyer(ctx, tx, grant);
  return true;
}

const WAYS = { 'stripe:': 'card', 'wallet:': 'USDC' } as const;

async function notifyBuyer(ctx: Context, tx: Db, { source, userId, plan, units, at }: NewGrant): Promise<void> {
  const by = Object.entries(WAYS).find(([prefix]) => source.startsWith(prefix))?.[1];
  const to = by && (await findAddress(tx, userId));
  const period = (await readPeriods(tx, userId)).find((each) => each.source === source);
  if (!by || !to || !period) return;
  const [from, until] = [new Date(period.start), new Date(period.cut)];
  const link = `${ctx.publicUrl()}/app/profile?tab=subscription`;
  await ctx.mail.enqueue(tx, await planStartedMail({ to, plan, from, until, units, by, at, link }));
}

/**
 * Revokes a grant as if it had never existed, within the caller's transaction; false when there is nothing to revoke.
 */
export async function revokeGrant(
  ctx: Context,
  tx: Db,
  revocation: { source: string; userId: number; at: Date; reason: string },
): Promise<boolean> {
  await lockBilling(tx, revocation.userId);
  if (!(await insertRevocation(tx, revocation))) return false;
  await applyPeriods(ctx, tx, revocation.userId, revocation.at);
  return true;
}

/**
 * Updates the entitlement facts to match the grants, writing only differences. A deleted account has nothing to update.
 */
async function applyPeriods({ live }: Context, tx: Db, userId: number, at: Date): Promise<void> {
  if ((await findAddress(tx, userId)) === undefined) return;
  const periods = await readPeriods(tx, userId);
  for (const target of diffFacts(await latestFacts(tx, userId), deriveFacts(periods), at))
    await addFact(tx, { ...target, userId, at, createdBy: null, note: 'From granted plans' });
  await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'payments'] });
  await notifyAccountChange(tx, { user: userId, ended: 'all' });
}

/** Rejects a second purchase of Pro while one is queued behind Premium+. */
export function rejectQueued(plan: PaidPlan, periods: readonly Period[], now: Date): void {
  const at = now.getTime();
  const premium = periods.some((each) => each.plan === 'premium' && each.start <= at && each.cut > at);
  const queued = periods.some((each) => each.plan === 'pro' && each.start > at && each.cut > each.start);
  if (plan === 'pro' && premium && queued)
    throw new AppError('conflict', 'Pro is already paid for and starts when Premium+ ends.');
}

export const creditAccount = (userId: number): string => `credit:${userId}`;

/**
 * Writes one ledger entry within the caller's transaction; lines of the same account are merged. Throws when it does
 * not balance or cannot be stored exactly; false, with nothing written, when the key already exists.
 */
export function post(tx: Db, entry: NewEntry): Promise<boolean> {
  const sum = entry.lines.reduce((total, [, units]) => total + units, 0n);
  if (sum !== 0n) throw new Error(`Journal ${entry.key} does not balance: ${sum}`);
  const lines = new Map<string, Units>();
  for (const [account, units] of entry.lines) lines.set(account, (lines.get(account) ?? 0n) + units);
  for (const units of lines.values())
    if (!Number.isSafeInteger(Number(units))) throw new Error(`Journal ${entry.key} holds too much: ${units}`);
  return insertEntry(tx, { ...entry, lines: [...lines] });
}

/** Account balance in micro-dollars, never below zero. */
export async function creditBalance(db: Db, userId: number): Promise<Units> {
  return -(await readBalance(db, creditAccount(userId)));
}

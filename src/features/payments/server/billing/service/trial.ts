import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { getUser } from '#features/accounts/server/auth/service.ts';
import { readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';

import type { BillingContext } from '../context.ts';
import { findGrants, hasAddressUsedTrial, hasUsedTrial, insertTrial, lockBilling } from '../store.ts';
import { addGrant } from './grants.ts';

export const COMING_SOON = 'Pro and Premium plans are coming soon! Stay tuned for updates.';
const DAY_MS = 86_400_000;
const TRIED_BY_ADDRESS =
  'An earlier account with this email address has already used its Pro trial, which is available once.';

/**
 * Canonical form of addresses that reach the same mailbox: without the part after a plus sign, and without the dots
 * that Gmail ignores.
 */
export function canonicalAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  const [name = ''] = email.slice(0, at).toLowerCase().split('+');
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com';
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

const hashAddress = ({ secrets }: Pick<BillingContext, 'secrets'>, address: string): Buffer =>
  secrets.lastingMac('trial address', address);

/** Why an account is not eligible for the Pro trial, as shown to users; null when it is. */
export async function trialRefusal(ctx: BillingContext, db: Db, userId: number): Promise<string | null> {
  const { config, now } = ctx;
  if (config.LAUNCH_COMING_SOON) return COMING_SOON;
  if (config.TRIAL_DAYS === 0) return 'No trial is available right now.';
  if (await hasUsedTrial(db, userId)) return 'You have already used your Pro trial, which is available once.';
  const { role, email } = await getUser(db, userId);
  // Earlier trials were stored under the address as entered.
  const hashes = [canonicalAddress(email), email].map((address) => hashAddress(ctx, address));
  if (await hasAddressUsedTrial(db, hashes)) return TRIED_BY_ADDRESS;
  const plan = resolvePlan(role, await readPlanStatus(db, userId, now()));
  if (plan !== 'free') return `You are already on ${PLAN_NAMES[plan]}.`;
  const grants = await findGrants(db, userId);
  if (grants.some(({ units, isRevoked }) => units > 0n && !isRevoked))
    return 'The trial is available only to accounts that have never had a paid plan.';
  return null;
}

/** Starts the Pro trial immediately; of two concurrent calls one is refused. */
export async function startTrial(ctx: BillingContext, { userId }: Caller): Promise<{ success: true; endsAt: string }> {
  const at = ctx.now();
  const days = ctx.config.TRIAL_DAYS;
  const endsAt = new Date(at.getTime() + days * DAY_MS);
  await ctx.db.transaction().execute(async (tx) => {
    await lockBilling(tx, userId);
    const why = await trialRefusal(ctx, tx, userId);
    if (why !== null) throw new AppError('conflict', why);
    const { email } = await getUser(tx, userId);
    const addressHash = hashAddress(ctx, canonicalAddress(email));
    // When two accounts of the same mailbox start at once, only one succeeds.
    if (!(await insertTrial(tx, { userId, addressHash, startedAt: at, endsAt })))
      throw new AppError('conflict', TRIED_BY_ADDRESS);
    await addGrant(ctx, tx, {
      source: `trial:${userId}`,
      userId,
      plan: 'pro',
      months: 0,
      days,
      goodAt: at,
      units: 0n,
      at,
      createdBy: null,
      note: 'Trial',
    });
  });
  return { success: true, endsAt: endsAt.toISOString() };
}

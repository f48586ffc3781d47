import { accountTopic } from '#features/accounts/contract/auth.ts';
import { type AuthContext, notifyAccountChange } from '#features/accounts/server/auth/service.ts';
import { addFact, latestFacts } from '#features/accounts/server/subscriptions/service.ts';
import type { Db } from '#kernel/db.ts';
import type { Live } from '#kernel/live/live.ts';

import { planStartedMail } from '../mails/plan-started.ts';
import { type Grant, type Period, periodsOf } from '../plan-periods.ts';
import { changesOf, factsOf } from '../projection.ts';
import { findGrants, insertGrant, insertRevocation, lockBilling, type NewGrant } from '../store/grants.ts';
import { findAddress } from '../store/people.ts';

type Context = Pick<AuthContext, 'mail' | 'publicUrl'> & { live: Live };

/** The paid periods of an account, those of grants that were taken back left out; `more` are grants that might be given. */
export async function periodsOfUser(db: Db, userId: number, more: readonly Grant[] = []): Promise<Period[]> {
  const grants = await findGrants(db, userId);
  return periodsOf([...grants.filter(({ isRevoked }) => !isRevoked), ...more]);
}

/**
 * Grants once for each source, within the caller's transaction; false when that source was granted before. The plan of the account, its open
 * pages and every process follow at the commit; what was bought is told by mail.
 */
export async function addGrant(ctx: Context, tx: Db, grant: NewGrant): Promise<boolean> {
  await lockBilling(tx, grant.userId);
  if (!(await insertGrant(tx, grant))) return false;
  await project(ctx, tx, grant.userId, grant.at);
  await tellBuyer(ctx, tx, grant);
  return true;
}

const WAYS = { 'stripe:': 'card', 'wallet:': 'USDC' } as const;

async function tellBuyer(ctx: Context, tx: Db, { source, userId, plan, units, at }: NewGrant): Promise<void> {
  const by = Object.entries(WAYS).find(([prefix]) => source.startsWith(prefix))?.[1];
  const to = by && (await findAddress(tx, userId));
  const period = (await periodsOfUser(tx, userId)).find((each) => each.source === source);
  if (!by || !to || !period) return;
  const [from, until] = [new Date(period.start), new Date(period.cut)];
  const link = `${ctx.publicUrl()}/app/profile?tab=subscription`;
  await ctx.mail.post(tx, await planStartedMail({ to, plan, from, until, units, by, at, link }));
}

/** Takes a grant back as if it had never been, within the caller's transaction; false when there is nothing to take back. */
export async function revokeGrant(
  ctx: Context,
  tx: Db,
  revocation: { source: string; userId: number; at: Date; reason: string },
): Promise<boolean> {
  await lockBilling(tx, revocation.userId);
  if (!(await insertRevocation(tx, revocation))) return false;
  await project(ctx, tx, revocation.userId, revocation.at);
  return true;
}

/**
 * Brings the facts that every check reads to what the grants amount to now; writes only what differs. Nothing is left to bring where the
 * account was deleted.
 */
async function project({ live }: Context, tx: Db, userId: number, at: Date): Promise<void> {
  if ((await findAddress(tx, userId)) === undefined) return;
  const periods = await periodsOfUser(tx, userId);
  for (const target of changesOf(await latestFacts(tx, userId), factsOf(periods), at))
    await addFact(tx, { ...target, userId, at, createdBy: null, note: 'From granted plans' });
  await live.publishTo(tx, userId, accountTopic, { changed: ['subscription', 'payments'] });
  await notifyAccountChange(tx, { user: userId, ended: 'all' });
}

import { planOf, standingOf } from '#features/accounts/server/subscriptions/service.ts';
import type { TicketHolder } from '#kernel/live/route.ts';
import type { Caller } from '#kernel/route.ts';

import { sessionEnd } from '../callers.ts';
import type { AuthContext } from '../context.ts';
import { findLink, spendLink } from '../store/links.ts';
import { findStart } from '../store/sessions.ts';
import { findUser } from '../store/users.ts';
import { hashOf } from '../tokens.ts';
import { makeToken } from './links.ts';
import { isDisabled } from './sessions.ts';

export async function issueTicket(ctx: AuthContext, caller: Caller): Promise<{ ticket: string; expiresAt: string }> {
  const { userId, sessionId } = caller;
  const { token, expiresAt } = await makeToken(ctx, ctx.db, { purpose: 'stream', userId, sessionId });
  return { ticket: token, expiresAt: expiresAt.toISOString() };
}

/**
 * Who a ticket was given to; null when it is unknown, used, too old, or its session has ended. Spending it comes last, so that the
 * end of the session is either seen here or told to a stream that is already there.
 */
export async function redeemTicket(ctx: AuthContext, ticket: string): Promise<TicketHolder | null> {
  const now = ctx.now();
  const link = await findLink(ctx.db, hashOf(ticket), 'stream');
  const user = link?.userId ? await findUser(ctx.db, link.userId) : undefined;
  if (!user || isDisabled(user)) return null;
  const standing = await standingOf(ctx.db, user.id, now);
  const plan = planOf(user.role, standing);
  const spent = await spendLink(ctx.db, hashOf(ticket), 'stream', now);
  if (!spent) return null;
  const createdAt = spent.sessionId === null ? undefined : await findStart(ctx.db, spent.sessionId);
  const ends = [standing.holdsUntil, createdAt ? sessionEnd({ createdAt, role: user.role }, now) : null];
  const left = ends.flatMap((end) => (end ? [end.getTime() - now.getTime()] : []));
  const endsInMs = left.length > 0 ? Math.min(...left) : null;
  return { userId: user.id, sessionId: spent.sessionId, plan, endsInMs };
}

import { planOf, standingOf } from '#features/subscriptions/server/service.ts';
import type { Caller } from '#server/platform/route.ts';

import type { AuthContext } from './context.ts';
import { findSession, touchSession } from './store/sessions.ts';
import { hashOf } from './tokens.ts';

export const SESSION_MS = 30 * 86_400_000;
/** Also without news from another process, nothing is believed longer than this. */
const BELIEVED_MS = 60_000;
const TOUCH_MS = 300_000;
const MOST_KNOWN = 20_000;

type Known = { caller: Caller; until: number };

export type Callers = {
  /** From memory: undefined when it has to be read. */
  known: (authorization: string) => Caller | undefined;
  /** Who the header's bearer token belongs to; null for nobody. */
  read: (authorization: string) => Promise<Caller | null>;
  forget: (userId: number) => void;
  forgetAll: () => void;
};

const bearerIn = (authorization: string): string | null =>
  authorization.length > 7 && authorization.length < 200 && /^bearer /i.test(authorization)
    ? authorization.slice(7).trim()
    : null;

/** Remembers who holds which token, so that a signed-in read costs no query. Keys are hashes: a dump of memory holds no token of ours. */
export function createCallers(ctx: AuthContext): Callers {
  const byToken = new Map<string, Known>();
  const byUser = new Map<number, Set<string>>();
  /** Grows with every forgetting: what was read before it must not be kept after it. */
  let epoch = 0;

  function drop(key: string): void {
    const known = byToken.get(key);
    if (!known) return;
    byToken.delete(key);
    const keys = byUser.get(known.caller.userId);
    keys?.delete(key);
    if (keys?.size === 0) byUser.delete(known.caller.userId);
  }

  function keep(key: string, known: Known): void {
    if (byToken.size >= MOST_KNOWN) drop(byToken.keys().next().value as string);
    byToken.set(key, known);
    const keys = byUser.get(known.caller.userId) ?? new Set();
    byUser.set(known.caller.userId, keys.add(key));
  }

  const keyOf = (token: string) => hashOf(token).toString('base64url');

  return {
    known(authorization) {
      const token = bearerIn(authorization);
      if (token === null) return undefined;
      const key = keyOf(token);
      const known = byToken.get(key);
      if (!known) return undefined;
      if (known.until > ctx.now().getTime()) return known.caller;
      drop(key);
      return undefined;
    },
    async read(authorization) {
      const token = bearerIn(authorization);
      if (token === null) return null;
      const now = ctx.now();
      const before = epoch;
      const session = await findSession(ctx.db, hashOf(token), now);
      if (!session) return null;
      const standing = await standingOf(ctx.db, session.userId, now);
      const caller = {
        userId: session.userId,
        sessionId: session.id,
        plan: planOf(session.role, standing),
      };
      const until = Math.min(
        now.getTime() + BELIEVED_MS,
        session.expiresAt.getTime(),
        standing.holdsUntil?.getTime() ?? Number.POSITIVE_INFINITY,
      );
      if (before === epoch) keep(keyOf(token), { caller, until });
      if (now.getTime() - session.seenAt.getTime() > TOUCH_MS)
        ctx.afterwards('Touching a session', () =>
          touchSession(ctx.db, session.id, now, new Date(now.getTime() + SESSION_MS)),
        );
      return caller;
    },
    forget(userId) {
      epoch += 1;
      for (const key of byUser.get(userId) ?? []) drop(key);
    },
    forgetAll() {
      epoch += 1;
      byToken.clear();
      byUser.clear();
    },
  };
}

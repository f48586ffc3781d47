import type { FastifyInstance } from 'fastify';

import { readPlanStatus, resolvePlan } from '#features/accounts/server/subscriptions/service.ts';
import type { Caller } from '#kernel/route.ts';
import { API_KEY_PREFIX } from '#shared/contract.ts';

import type { AuthContext } from './context.ts';
import { findSession, updateLastSeen } from './store/sessions.ts';
import { hashToken } from './tokens.ts';

const HOUR_MS = 3_600_000;
const IDLE_MS = 30 * 24 * HOUR_MS;
const LONGEST_MS = { user: 90 * 24 * HOUR_MS, admin: 12 * HOUR_MS };

/** When a session used now expires: 30 days sliding, with an absolute end. */
export function sessionEnd({ createdAt, role }: { createdAt: Date; role: 'user' | 'admin' }, at: Date): Date {
  return new Date(Math.min(at.getTime() + IDLE_MS, createdAt.getTime() + LONGEST_MS[role]));
}

/** Cache lifetime, in case a notification from another process is missed. */
const BELIEVED_MS = 60_000;
const TOUCH_MS = 300_000;
const MOST_KNOWN = 20_000;

type CachedCaller = { caller: Caller; until: number };

export type Callers = {
  /** From the cache: undefined when it must be read. */
  known: (authorization: string) => Caller | undefined;
  /** Account of the bearer token; null if unknown. */
  read: (authorization: string) => Promise<Caller | null>;
  forget: (userId: number) => void;
  forgetAll: () => void;
};

/** The token of an Authorization header; null without one. */
export const readBearer = (authorization: string): string | null =>
  authorization.length > 7 && authorization.length < 200 && /^bearer /i.test(authorization)
    ? authorization.slice(7).trim()
    : null;

/** An API key is valid for the public API only, not for session endpoints. */
const readSessionToken = (authorization: string): string | null => {
  const token = readBearer(authorization);
  return token?.startsWith(API_KEY_PREFIX) ? null : token;
};

/** Caches callers by header, so that an authenticated read needs no query. */
export function createCallers(ctx: AuthContext): Callers {
  const byHeader = new Map<string, CachedCaller>();
  const byUser = new Map<number, Set<string>>();
  /** Incremented with every invalidation: a read that began before it must not be cached after it. */
  let epoch = 0;

  function evict(header: string): void {
    const known = byHeader.get(header);
    if (!known) return;
    byHeader.delete(header);
    const headers = byUser.get(known.caller.userId);
    headers?.delete(header);
    if (headers?.size === 0) byUser.delete(known.caller.userId);
  }

  function cacheCaller(header: string, known: CachedCaller): void {
    if (byHeader.size >= MOST_KNOWN) evict(byHeader.keys().next().value as string);
    byHeader.set(header, known);
    const headers = byUser.get(known.caller.userId) ?? new Set();
    byUser.set(known.caller.userId, headers.add(header));
  }

  return {
    known(authorization) {
      const known = byHeader.get(authorization);
      if (!known) return undefined;
      if (known.until > ctx.now().getTime()) return known.caller;
      evict(authorization);
      return undefined;
    },
    async read(authorization) {
      const token = readSessionToken(authorization);
      if (token === null) return null;
      const now = ctx.now();
      const before = epoch;
      const session = await findSession(ctx.db, hashToken(token), now);
      if (!session) return null;
      const end = sessionEnd(session, now);
      // Re-checked here because the user may have become an administrator since.
      if (end <= now) return null;
      const standing = await readPlanStatus(ctx.db, session.userId, now);
      const caller = {
        userId: session.userId,
        sessionId: session.id,
        plan: resolvePlan(session.role, standing),
      };
      const until = Math.min(
        now.getTime() + BELIEVED_MS,
        session.expiresAt.getTime(),
        end.getTime(),
        standing.holdsUntil?.getTime() ?? Number.POSITIVE_INFINITY,
      );
      if (before === epoch) cacheCaller(authorization, { caller, until });
      if (now.getTime() - session.seenAt.getTime() > TOUCH_MS)
        ctx.afterwards('Failed to update a session', () => updateLastSeen(ctx.db, session.id, now, end));
      return caller;
    },
    forget(userId) {
      epoch += 1;
      for (const header of byUser.get(userId) ?? []) evict(header);
    },
    forgetAll() {
      epoch += 1;
      byHeader.clear();
      byUser.clear();
    },
  };
}

/** Resolves the caller of every request with a token. An unknown token is anonymous. */
export function attachCallers(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers;
    if (authorization === undefined || request.routeOptions.config.ownToken) return done();
    const known = callers.known(authorization);
    if (known) {
      request.caller = known;
      return done();
    }
    callers.read(authorization).then((caller) => {
      request.caller = caller;
      done();
    }, done);
    return undefined;
  });
  // A write may end the caller's session or change the plan: this process must not wait for the notification.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    if (request.caller && request.method !== 'GET' && request.method !== 'HEAD') callers.forget(request.caller.userId);
    done();
  });
}

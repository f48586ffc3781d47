import type { Mutant } from '#tests/support/mutant.ts';

const AUTH = 'src/features/accounts/server/auth';
const SECURITY = 'src/app/server/security';
const ROUTE = { file: 'src/kernel/route.ts', tests: [`${SECURITY}/access.test.ts`] };
const CALLERS = { file: `${AUTH}/callers.ts`, tests: [`${AUTH}/sign-in.test.ts`] };
const ALERTS = ['src/features/alerts/server/alerts/alerts.test.ts'];
const LIVE = { file: 'src/kernel/live/route.ts', tests: ALERTS };
const SCOPES = {
  file: 'src/features/api/server/api/http/response.ts',
  tests: ['src/features/api/server/api/live.test.ts'],
};

/** Errors in access control by plan, session, scope and owner. */
export const MUTANTS: Mutant[] = [
  { ...ROUTE, name: 'every plan is high enough', from: 'PLAN_RANK[caller.plan] >= PLAN_RANK[access]', to: 'true' },
  {
    ...ROUTE,
    name: 'the plan itself is too low',
    from: 'PLAN_RANK[caller.plan] >= PLAN_RANK[access]',
    to: 'PLAN_RANK[caller.plan] > PLAN_RANK[access]',
    tests: ALERTS,
  },
  { ...ROUTE, name: 'Premium+ is an administrator', from: 'premium: 2, admin: 3', to: 'premium: 3, admin: 3' },
  {
    ...ROUTE,
    name: 'a visitor is asked to upgrade',
    from: "if (!caller) throw new AppError('unauthenticated', signedOut);",
    to: '',
  },
  { ...CALLERS, name: 'a session has no end', from: 'if (end <= now) return null;', to: '' },
  {
    ...CALLERS,
    name: 'an ended session is remembered',
    from: 'for (const header of byUser.get(userId) ?? []) evict(header);',
    to: '',
  },
  {
    ...CALLERS,
    name: 'a plan outlives its paid time',
    from: 'standing.holdsUntil?.getTime() ?? Number.POSITIVE_INFINITY',
    to: 'Number.POSITIVE_INFINITY',
    tests: ALERTS,
  },
  {
    file: 'src/features/accounts/server/subscriptions/service.ts',
    name: 'Free sees the whole past',
    from: 'ageMs > days * DAY_MS',
    to: 'ageMs > 1000 * days * DAY_MS',
    tests: ['src/features/market/server/market/prices.test.ts'],
  },
  { ...LIVE, name: 'a stream outlives its paid time', from: 'holder?.endsInMs ?? null', to: 'null' },
  {
    ...LIVE,
    name: 'private topics are open',
    from: 'checkAccess(topic.access, caller);',
    to: '',
  },
  { ...SCOPES, name: 'alerts without their scope', from: "scopes.includes('alerts') ||", to: 'true ||' },
  {
    file: 'src/features/exports/server/exports/store/exports.ts',
    name: 'an export of another account is found',
    from: "where('user_id', '=', userId).where('id', '=', id)",
    to: "where('id', '=', id)",
    tests: [`${SECURITY}/owners.test.ts`],
  },
];

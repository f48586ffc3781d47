import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Plan } from '#shared/contract.ts';

import { type Answer, answer, byMethod, type Method } from '#ui/testing/answers.ts';
import { openApp } from './open-app.tsx';

type Options = {
  at: string;
  plan?: Plan;
  account?: Partial<Subscription>;
  calls?: Record<string, Answer>;
};

/** What the admin dashboard loads on every tab. */
const ADMIN_LOADS: Record<string, Answer> = {
  '/api/admin/collections': answer([]),
  '/api/admin/ai-analysis': answer([]),
  '/api/admin/users': answer([]),
};

/** The app, opened by someone who is signed in. `sent` gives what was asked of a path. */
export function openSignedIn({ at, plan = 'free', account = {}, calls = {} }: Options) {
  localStorage.setItem('authToken', 'ann-token');
  const { fetch, queries } = openApp({
    at,
    calls: { '/api/subscription': answer(subscriptionOf(plan, account)), ...ADMIN_LOADS, ...calls },
  });
  const sent = (path: string, method: Method) =>
    fetch.mock.calls
      .filter(([url, init]) => url.split('?')[0] === path && (init?.method ?? 'GET') === method)
      .map(([url, init]): unknown => (init?.body ? JSON.parse(init.body as string) : url));
  return { fetch, queries, sent };
}

const QUIET: Record<string, Answer> = {
  '/api/auth/sessions': answer({ sessions: [] }),
  '/api/auth/two-factor': answer({ enabled: false, backupCodesLeft: 0 }),
  '/api/auth/passkeys': byMethod({ GET: answer({ passkeys: [] }) }),
};

/** The security settings; what `calls` leaves out is empty or off. */
export const openSecurity = (calls: Record<string, Answer> = {}, plan: Plan = 'free') =>
  openSignedIn({ at: '/app/profile?tab=security', plan, calls: { ...QUIET, ...calls } });

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { vi } from 'vitest';

import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { AuthModal } from '#features/accounts/web/auth/auth-modal.tsx';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, byMethod, type Method } from '#ui/testing/answers.ts';
import { fill, LATE } from './acts.ts';
import { openApp } from './open-app.tsx';

type Options = {
  at: string;
  plan?: Plan;
  account?: Partial<Subscription>;
  calls?: Record<string, Answer>;
};

/** Requests of the admin dashboard on every tab. */
const ADMIN_LOADS: Record<string, Answer> = {
  '/api/admin/collections': answer([]),
  '/api/admin/ai-analysis': answer([]),
  '/api/admin/users': answer([]),
};

/** The app for a signed-in user. `sent` returns the requests to a path. */
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

/** The security settings; calls not in `calls` return empty or off. */
export const openSecurity = (calls: Record<string, Answer> = {}, plan: Plan = 'free') =>
  openSignedIn({ at: '/app/profile?tab=security', plan, calls: { ...QUIET, ...calls } });

type Mode = 'login' | 'register';

const QUIET_SIGN_IN: Record<string, Answer> = {
  '/api/auth/options': answer({ confirmationRequired: true, signUpsOpen: true, demoAccounts: [] }),
  '/api/subscription': answer(subscriptionOf('free')),
};

type Fetch = ReturnType<typeof openApp>['fetch'];
const bodies = (fetch: Fetch) => (path: string) =>
  fetch.mock.calls
    .filter(([url]) => url === path)
    .map(([, init]): unknown => JSON.parse((init?.body as string) ?? 'null'));

/** The app with the sign-in dialog open; `asked` returns the request bodies of a path. */
export async function openDialog(mode: Mode, calls: Record<string, Answer> = {}, at = '/app') {
  const { fetch } = openApp({ at: `${at}?auth=${mode}`, calls: { ...QUIET_SIGN_IN, ...calls } });
  const dialog = await screen.findByRole('dialog', {}, LATE);
  return { dialog, form: within(dialog), asked: bodies(fetch), fetch };
}

/** Only the dialog. */
export function showDialog(opened: Mode, calls: Record<string, Answer> = {}) {
  const answers = { ...QUIET_SIGN_IN, ...calls };
  const fetch: Fetch = vi.fn(async (url, init) => answers[url]?.(url, init) ?? Response.json({}, { status: 404 }));
  vi.stubGlobal('fetch', fetch);
  const onClose = vi.fn();
  const onSignedIn = vi.fn();
  function Dialog() {
    const [mode, onMode] = useState(opened);
    return <AuthModal mode={mode} onMode={onMode} onClose={onClose} onSignedIn={onSignedIn} />;
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Dialog />
    </QueryClientProvider>,
  );
  const dialog = screen.getByRole('dialog');
  return { dialog, form: within(dialog), asked: bodies(fetch), onClose, onSignedIn };
}

/** Fills in the credentials and presses the submit button. */
export async function enter(email = 'ann@example.com', password = 'correct horse') {
  await fill('Email', email);
  await fill('Password', password);
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^Sign (In|Up)$/ }));
}

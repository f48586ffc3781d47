import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { vi } from 'vitest';

import { AuthModal } from '#features/auth/web/auth-modal.tsx';
import { subscriptionOf } from '#features/subscriptions/web/fixtures.ts';

import { openApp } from './open-app.tsx';

type Mode = 'login' | 'register';
type Answer = (url: string, init?: RequestInit) => Response | Promise<Response>;

export const refusing = (status: number, error: string, code: string) => () =>
  Response.json({ error, code }, { status });
export const answering = (json: unknown) => () => Response.json(json);
export const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));

/** The code of a late part is compiled when it is first asked for. */
export const late = { timeout: 20_000 };

const QUIET: Record<string, Answer> = {
  '/api/auth/options': answering({ confirmationRequired: true, demoAccounts: [] }),
  '/api/subscription': answering(subscriptionOf('free')),
};

type Fetch = ReturnType<typeof openApp>['fetch'];
const bodies = (fetch: Fetch) => (path: string) =>
  fetch.mock.calls
    .filter(([url]) => url === path)
    .map(([, init]): unknown => JSON.parse((init?.body as string) ?? 'null'));

/** The app with the sign-in dialog open; `asked` gives the bodies of the calls to a path. */
export async function openDialog(mode: Mode, calls: Record<string, Answer> = {}, at = '/app') {
  const { fetch } = openApp({ at: `${at}?auth=${mode}`, calls: { ...QUIET, ...calls } });
  const dialog = await screen.findByRole('dialog', {}, late);
  return { dialog, form: within(dialog), asked: bodies(fetch), fetch };
}

/** The dialog alone. */
export function showDialog(opened: Mode, calls: Record<string, Answer> = {}) {
  const answers = { ...QUIET, ...calls };
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

export const address = () => screen.getByLabelText('Address').textContent;

/** Fills a field at once, as a password manager does. */
export async function fill(label: string, text: string) {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.paste(text);
}

/** Fills in the credentials and presses the button of the mode. */
export async function enter(email = 'ann@example.com', password = 'correct horse') {
  await fill('Email', email);
  await fill('Password', password);
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: /^Sign (In|Up)$/ }));
}

/** The page cannot be loaded again in a test; this counts how often it was asked to. */
export const countReloads = () => vi.spyOn(location, 'reload').mockImplementation(() => {});

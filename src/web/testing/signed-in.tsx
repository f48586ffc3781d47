import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

import type { Subscription } from '#features/subscriptions/contract.ts';
import { subscriptionOf } from '#features/subscriptions/web/fixtures.ts';
import type { Plan } from '#shared/contract.ts';

import { openApp } from './open-app.tsx';

export type Answer = (url: string, init?: RequestInit) => Response | Promise<Response>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export const answer = (json: unknown) => () => Response.json(json);
export const refuse = (status: number, error: string, code: string) => () => Response.json({ error, code }, { status });
export const broken = refuse(500, 'Something went wrong on our side', 'internal');

export const byMethod =
  (answers: Partial<Record<Method, Answer>>): Answer =>
  (url, init) =>
    answers[(init?.method ?? 'GET') as Method]?.(url, init) ?? broken();

/** Refuses until the person has proved again who they are; `prove` goes to the call that does it. */
export function afterProof(then: Answer): { act: Answer; prove: Answer } {
  let proved = false;
  return {
    act: (url, init) =>
      proved ? then(url, init) : refuse(403, 'Please confirm that it is you to go on.', 'reauthentication_required')(),
    prove(_url, init) {
      const { password } = JSON.parse(init?.body as string) as { password: string };
      if (password !== 'correct horse') return refuse(403, 'The password is not correct', 'forbidden')();
      proved = true;
      return Response.json({ until: '2026-11-21T12:15:00.000Z' });
    },
  };
}

type Options = { at: string; plan?: Plan; account?: Partial<Subscription>; calls?: Record<string, Answer> };

/** The app, opened by someone who is signed in. `sent` gives what was asked of a path. */
export function openSignedIn({ at, plan = 'free', account = {}, calls = {} }: Options) {
  localStorage.setItem('authToken', 'ann-token');
  const { fetch, queries } = openApp({
    at,
    calls: { '/api/subscription': answer(subscriptionOf(plan, account)), ...calls },
  });
  const sent = (path: string, method: Method) =>
    fetch.mock.calls
      .filter(([url, init]) => url.split('?')[0] === path && (init?.method ?? 'GET') === method)
      .map(([url, init]): unknown => (init?.body ? JSON.parse(init.body as string) : url));
  return { fetch, queries, sent };
}

export const address = () => screen.getByLabelText('Address').textContent;

/** Writes into a field at once, as a password manager does. */
export async function fill(label: string | RegExp, text: string): Promise<void> {
  const field = await screen.findByLabelText(label, { selector: 'input' });
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
}

export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

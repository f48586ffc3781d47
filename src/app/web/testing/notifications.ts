import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from 'sonner';
import { expect } from 'vitest';

import type { Preferences } from '#features/notifications/contract/notifications.ts';
import { latencyOf, preferencesOf } from '#features/notifications/web/notifications/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, byMethod } from '#ui/testing/answers.ts';
import { LATE } from './acts.ts';
import { openSignedIn } from './signed-in.tsx';

export const PREFERENCES = '/api/notifications/preferences';
export const DELIVERIES = '/api/notifications/deliveries';
export const LATENCY = '/api/notifications/latency';

type Options = {
  stored?: Preferences;
  plan?: Plan;
  /** Responds to a save; by default the server stores what it receives. */
  save?: Answer;
  calls?: Record<string, Answer>;
};

/** The Notifications tab with these preferences. `saved` returns each object posted. */
export function openNotifications({ stored = preferencesOf(), plan = 'pro', save, calls = {} }: Options = {}) {
  const kept = { preferences: stored };
  const keep: Answer = (_url, init) => {
    kept.preferences = JSON.parse(init?.body as string) as Preferences;
    return Response.json(kept);
  };
  const app = openSignedIn({
    at: '/app/profile?tab=notifications',
    plan,
    calls: {
      [PREFERENCES]: byMethod({ GET: () => Response.json(kept), POST: save ?? keep }),
      [DELIVERIES]: answer({ deliveries: [] }),
      [LATENCY]: answer(latencyOf()),
      ...calls,
    },
  });
  return { ...app, kept, keep, saved: () => app.sent(PREFERENCES, 'POST') as Preferences[] };
}

export const toggle = (name: string) => screen.findByLabelText(name, { selector: '[role=switch]' }, LATE);
export const isOn = async (name: string) => (await toggle(name)).getAttribute('aria-checked') === 'true';
export const flip = async (name: string) => userEvent.click(await toggle(name));
export const box = (name: string | RegExp) =>
  screen.findByLabelText<HTMLInputElement>(name, { selector: '[type=checkbox]' }, LATE);

/** A response that is sent when the test releases it. */
export function held(then: Answer) {
  const waiting: (() => void)[] = [];
  const act: Answer = (url, init) => new Promise<Response>((resolve) => waiting.push(() => resolve(then(url, init))));
  return { act, waiting, go: () => waiting.shift()?.() };
}

/** Counts toasts since this call: the library keeps those of earlier tests. */
export function spyOnRequests() {
  const before = toast.getHistory().length;
  const count = (text: string) =>
    toast
      .getHistory()
      .slice(before)
      .filter((each) => 'title' in each && each.title === text).length;
  return { count, once: (text: string) => waitFor(() => expect(count(text)).toBe(1)) };
}

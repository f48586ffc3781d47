import { screen } from '@testing-library/react';
import { toast } from 'sonner';
import { expect, vi } from 'vitest';

import { ABC_SHA256, EXPORT_ID, statisticsOf } from '#features/exports/web/exports/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, byMethod } from '#ui/testing/answers.ts';
import { FakeEventSource } from '../fake-event-source.ts';
import { LATE } from './acts.ts';
import { openSignedIn } from './signed-in.tsx';

export const AT = {
  create: '/api/exports/create',
  history: '/api/exports/history',
  statistics: '/api/exports/statistics',
  scheduled: '/api/exports/scheduled',
  schedule: '/api/exports/schedule',
  look: '/api/exports/white-label',
  one: `/api/exports/${EXPORT_ID}`,
} as const;

/** A small export as the server sends it: the file itself. */
export const fileAnswer =
  (name = 'meridian-crypto_prices-7d.json'): Answer =>
  () =>
    new Response('abc', {
      headers: {
        'content-type': 'application/json',
        'content-length': '3',
        'content-disposition': `attachment; filename="${name}"`,
        'x-export-id': EXPORT_ID,
        'x-sha256': ABC_SHA256,
      },
    });

type Options = { at: string; plan?: Plan; calls?: Record<string, Answer> };

/**
 * An exports page; calls not in `calls` return empty lists. `kept` returns the names of the files handed to the
 * browser.
 */
export function openExports({ at, plan = 'pro', calls = {} }: Options) {
  const kept: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:export');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    kept.push(this.download);
  });
  const success = vi.spyOn(toast, 'success');
  const error = vi.spyOn(toast, 'error');
  const app = openSignedIn({
    at,
    plan,
    calls: {
      [AT.history]: answer([]),
      [AT.statistics]: answer(statisticsOf()),
      [AT.scheduled]: answer([]),
      [AT.look]: byMethod({ GET: answer({ name: null, logo: null, colour: null }) }),
      ...calls,
    },
  });
  const toastsOf = (spy: typeof success) => spy.mock.calls.map(([words, options]) => [words, options?.duration]);
  /** Each toast with its duration in milliseconds. */
  const toasts = () => ({ success: toastsOf(success), error: toastsOf(error) });
  return { ...app, kept, toasts };
}

export const createButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Create Export' });
export const regionText = async (name: string) => (await screen.findByRole('region', { name })).textContent;
export const lineOf = async (list: string) => {
  const region = await screen.findByRole('list', { name: list });
  return [...region.querySelectorAll('li')].map((row) => row.textContent);
};
export const expectToast = (calls: () => unknown[][], words: string, ms: number) =>
  vi.waitFor(() => expect(calls()).toContainEqual([words, ms]));

export const TICKET = {
  '/api/stream/ticket': answer({ ticket: 'a', expiresAt: '2026-11-21T12:00:30.000Z', topics: ['exports'] }),
};
/** The stream of the account, once the page has opened it. */
export const stream = () =>
  vi.waitFor(() => {
    expect(FakeEventSource.newest.url).toContain(',exports&ticket=a');
    return FakeEventSource.newest;
  }, LATE);

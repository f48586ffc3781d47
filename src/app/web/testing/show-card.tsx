import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { vi } from 'vitest';

import type { Answer } from '#ui/testing/answers.ts';
import { NOON } from '#ui/testing/figures.ts';
import { BrowserRouter } from '../browser-router.tsx';

export type Answers = Record<string, Answer>;

export const failing = () =>
  Response.json({ error: 'Something went wrong on our side', code: 'internal' }, { status: 500 });
export const never = () => new Promise<Response>(() => {});

/** One card with its own calls, at noon; only the network is mocked. */
export function showCard(card: ReactNode, answers: Answers = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  const fetch = vi.fn(
    async (url: string, init?: RequestInit) => answers[url.split('?')[0] ?? '']?.(url, init) ?? failing(),
  );
  vi.stubGlobal('fetch', fetch);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>{card}</BrowserRouter>
    </QueryClientProvider>,
  );
  return { fetch };
}

export function closeCard(): void {
  cleanup();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

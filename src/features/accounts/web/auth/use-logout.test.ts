// @vitest-environment happy-dom
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { countReloads } from '#app/web/testing/acts.ts';
import { beforeSignOut, startSession } from '#ui/session.ts';
import { answer, refuse, unreachable } from '#ui/testing/answers.ts';

import { ann } from './fixtures.ts';
import { useLogout } from './use-logout.ts';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const PERSONAL = ['authToken', 'token', 'user', 'lastSeenAlertId'];

async function logOut(answer: (url: string, init: RequestInit) => Response | Promise<Response>) {
  startSession('token-of-7', ann);
  localStorage.setItem('token', 'older');
  localStorage.setItem('lastSeenAlertId', '12');
  localStorage.setItem('theme', 'light');
  const reload = countReloads().mockImplementation(() =>
    expect(PERSONAL.map((key) => localStorage.getItem(key))).toEqual([null, null, null, null]),
  );
  const fetch = vi.fn(answer);
  vi.stubGlobal('fetch', fetch);
  await renderHook(useLogout).result.current();
  return { fetch, reload };
}

describe('logging out', () => {
  test('notifies the server, clears the user and reloads the page', async () => {
    const { fetch, reload } = await logOut(answer({ success: true }));
    expect(fetch).toHaveBeenCalledTimes(1);
    const [url, { method, headers }] = fetch.mock.calls[0] as [string, RequestInit];
    expect([method, url, headers]).toEqual(['POST', '/api/auth/logout', { authorization: 'Bearer token-of-7' }]);
    expect(reload).toHaveBeenCalledTimes(1);
    expect(localStorage.getItem('theme')).toBe('light');
  });

  test.each([
    ['is unreachable', unreachable],
    ['does not know the token', refuse(401, 'Authentication required', 'unauthenticated')],
    ['fails', () => new Response('', { status: 500 })],
  ])('does so if the server %s', async (_, answer) => {
    const { reload } = await logOut(answer);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('does not wait for a server that never responds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { reload } = await logOut(
      (_, { signal }) => new Promise((_, reject) => (signal?.aborted ? reject(signal.reason) : undefined)),
    );
    expect(timeout).toHaveBeenCalledExactlyOnceWith(4000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('pending cleanup is awaited, two seconds at most', async () => {
    const order: string[] = [];
    beforeSignOut(async () => void order.push('first'));
    beforeSignOut(() => Promise.reject(new Error('fails')));
    beforeSignOut(() => new Promise(() => {}));
    vi.useFakeTimers();
    const gone = logOut(() => {
      order.push('logout');
      return Response.json({ success: true });
    });
    await vi.advanceTimersByTimeAsync(1999);
    expect(order).toEqual(['first']);
    await vi.advanceTimersByTimeAsync(1);
    const { reload } = await gone;
    expect(order).toEqual(['first', 'logout']);
    expect(reload).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });
});

import { afterEach, describe, expect, test, vi } from 'vitest';

import { logout } from '#features/accounts/contract/auth.ts';

import { attachProof, callWithProof } from './proof.ts';

let detach = () => {};
afterEach(() => {
  detach();
});

const WANTED = () =>
  Response.json({ error: 'Please confirm it’s you to continue.', code: 'reauthentication_required' }, { status: 403 });

function server(...answers: (() => Response)[]) {
  const fetch = vi.fn(async () => answers.shift()?.() ?? Response.json({ success: true }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

describe('a call that may need reauthentication', () => {
  test('is called once when none is required', async () => {
    const ask = vi.fn(() => Promise.resolve(true));
    detach = attachProof(ask);
    const fetch = server();
    expect(await callWithProof(logout, {})).toEqual({ success: true });
    expect([ask.mock.calls.length, fetch.mock.calls.length]).toEqual([0, 1]);
  });

  test('is repeated after it', async () => {
    detach = attachProof(() => Promise.resolve(true));
    const fetch = server(WANTED);
    expect(await callWithProof(logout, {})).toEqual({ success: true });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('returns null when it was declined', async () => {
    detach = attachProof(() => Promise.resolve(false));
    const fetch = server(WANTED);
    expect(await callWithProof(logout, {})).toBeNull();
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('two at once prompt once', async () => {
    const finish: ((proved: boolean) => void)[] = [];
    detach = attachProof(() => new Promise((resolve) => finish.push(resolve)));
    let read = 0;
    const wanted = () => {
      const response = WANTED();
      const json = response.json.bind(response);
      return Object.assign(response, { json: () => json().finally(() => (read += 1)) });
    };
    server(wanted, wanted);
    const both = Promise.all([callWithProof(logout, {}), callWithProof(logout, {})]);
    await vi.waitFor(() => expect(read).toBe(2));
    // Let the work after the read finish.
    await new Promise((resolve) => setTimeout(resolve));
    expect(finish).toHaveLength(1);
    finish[0]?.(true);
    expect(await both).toEqual([{ success: true }, { success: true }]);
    expect(finish).toHaveLength(1);
  });

  test('passes other refusals, and one that cannot be prompted for, to the caller', async () => {
    server(WANTED);
    await expect(callWithProof(logout, {})).rejects.toMatchObject({ code: 'reauthentication_required' });
    detach = attachProof(() => Promise.resolve(true));
    server(() => Response.json({ error: 'No', code: 'forbidden' }, { status: 403 }));
    await expect(callWithProof(logout, {})).rejects.toMatchObject({ code: 'forbidden' });
  });
});

// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { fill, LATE, press } from '#app/web/testing/acts.ts';
import { eachWithItsApp } from '#app/web/testing/open-app.tsx';
import { openSecurity } from '#app/web/testing/signed-in.tsx';
import { type Answer, afterProof, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';

const LAPTOP = { id: 4, name: 'Laptop', createdAt: '2026-11-01T12:00:00.000Z', lastUsedAt: '2026-11-21T09:00:00.000Z' };
const KEY = { id: 5, name: 'Key', createdAt: '2026-11-05T12:00:00.000Z', lastUsedAt: null };
const START = {
  challenge: 'ours',
  options: {
    challenge: 'AAAA',
    rp: { id: 'localhost', name: 'Meridian' },
    user: { id: 'AQ', name: 'ann@example.com', displayName: 'ann@example.com' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  },
};
const bytes = new Uint8Array([1, 2, 3]).buffer;
/** A browser's response for a new passkey. */
const CREDENTIAL = {
  id: 'AQID',
  rawId: bytes,
  type: 'public-key',
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
  response: { attestationObject: bytes, clientDataJSON: bytes, getTransports: () => ['internal'] },
};

eachWithItsApp();
beforeEach(() => vi.stubGlobal('PublicKeyCredential', vi.fn()));

const browserMakes = (make: () => Promise<unknown>) => {
  const create = vi.fn(make);
  vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ create } as never);
  return create;
};
const open = (passkeys: Answer, calls: Record<string, Answer> = {}) =>
  openSecurity({ '/api/auth/passkeys': passkeys, ...calls });
const list = (...passkeys: unknown[]) => byMethod({ GET: answer({ passkeys }) });
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }, LATE));

describe('the list', () => {
  test('name, creation date, last use', async () => {
    open(list(LAPTOP, KEY));
    expect((await screen.findByText('Laptop', {}, LATE)).nextSibling?.textContent).toBe(
      'Added 1 Nov 2026 · last used 3h ago',
    );
    expect(screen.getByText('Key').nextSibling?.textContent).toBe('Added 5 Nov 2026 · never used');
  });

  test('error, with Retry', async () => {
    let down = true;
    open(() => (down ? broken() : Response.json({ passkeys: [LAPTOP] })));
    expect(await screen.findByText('Failed to load your passkeys', {}, LATE)).toBeDefined();
    down = false;
    await press('Retry');
    expect(await screen.findByText('Laptop')).toBeDefined();
  });
});

describe('adding one', () => {
  async function add(calls: Record<string, Answer> = {}, post: Answer = answer(KEY)) {
    let added = false;
    const opened = open(
      byMethod({
        GET: () => Response.json({ passkeys: added ? [KEY] : [] }),
        POST: (url, init) => {
          added = true;
          return post(url, init);
        },
      }),
      { '/api/auth/passkeys/options': answer(START), ...calls },
    );
    await press('Add passkey');
    await dialog('Add a passkey');
    await fill('Name', ' Key ');
    await press('Add Passkey');
    return opened;
  }

  test.each([
    ['NotAllowedError', 'No passkey was created. You can try again.'],
    ['InvalidStateError', 'This device already has a passkey for your account.'],
  ])('%s: %s', async (name, words) => {
    browserMakes(() => Promise.reject(Object.assign(new Error('no'), { name })));
    const { sent } = await add();
    expect((await (await dialog('Add a passkey')).findByRole('alert')).textContent).toBe(words);
    expect(sent('/api/auth/passkeys', 'POST')).toEqual([]);
  });

  test('the server rejects it', async () => {
    browserMakes(() => Promise.resolve(CREDENTIAL));
    await add({}, refuse(400, 'The passkey could not be verified', 'bad_request'));
    expect((await (await dialog('Add a passkey')).findByRole('alert')).textContent).toBe(
      'The passkey could not be verified',
    );
  });

  test('requests a proof first if the server requires one', async () => {
    browserMakes(() => Promise.resolve(CREDENTIAL));
    const { act, prove } = afterProof(answer(START));
    await add({ '/api/auth/passkeys/options': act, '/api/auth/reauthenticate': prove });
    await dialog('Confirm it’s you');
    await fill('Password', 'correct horse');
    await press('Confirm');
    expect(await screen.findByText('Passkey added')).toBeDefined();
  });

  test('an unsupported browser is reported', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    open(list());
    expect(await screen.findByText('This browser does not support passkeys.', {}, LATE)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
  });

  test.each([
    ['127.0.0.1', /^Passkeys are tied to a host name. To add one, sign in at http:\/\/localhost:3000\.$/],
    ['192.0.2.7', /^Passkeys require a domain name, and this address has none\.$/],
  ])('at %s the card names a working address', async (hostname, words) => {
    vi.spyOn(location, 'hostname', 'get').mockReturnValue(hostname);
    open(list());
    expect(await screen.findByText(words, {}, LATE)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull();
  });
});

test('a failed removal stays in the dialog', async () => {
  open(list(LAPTOP), { '/api/auth/passkeys/4': broken });
  await press('Remove Laptop');
  const question = await dialog('Remove this passkey?');
  await userEvent.click(question.getByRole('button', { name: 'Remove' }));
  expect((await (await dialog('Remove this passkey?')).findByRole('alert')).textContent).toBe(
    'Something went wrong on our side',
  );
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { LATE } from '../testing/acts.ts';
import { closeApp, freezeTime, openApp } from '../testing/open-app.tsx';

beforeEach(() => freezeTime());
afterEach(closeApp);

const at = (query: string) => `/app/auth-required${query}`;
const gate = (name: string) => screen.findByRole('region', { name });
const address = () => screen.getByLabelText('Address').textContent;

const LINKS = [
  ['Back to Dashboard', '/app/'],
  ['Contact', '/app/contact'],
  ['Privacy Policy', '/app/privacy'],
  ['Terms & Conditions', '/app/terms'],
] as const;

describe('the gate', () => {
  test.each([
    [
      '?feature=Profile&type=auth',
      'Sign in required',
      'Profile needs an account.',
      [
        ['Sign In', '/app?auth=login'],
        ['Create Account', '/app?auth=register'],
      ],
    ],
    [
      '?feature=Data+Export&type=upgrade',
      'Pro plan required',
      'Data Export is part of Pro, $29.99 a month',
      [['Upgrade to Pro', '/app/subscription']],
    ],
    [
      '?feature=Webhooks&type=premium',
      'Premium+ plan required',
      'Webhooks is part of Premium+, $99 a month',
      [['View Premium+ Plans', '/app/subscription']],
    ],
  ])('%s: message, what it opens, buttons and links', async (query, title, words, buttons) => {
    openApp({ at: at(query) });
    const region = await gate(title);
    // The price is read first.
    await waitFor(() => expect(region.textContent).toContain(words), LATE);
    expect(within(region).getAllByRole('listitem').length).toBeGreaterThan(LINKS.length);
    const links = within(region).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([...buttons, ...LINKS]);
  });

  test.each(['', '?type=', '?type=toString', '?type=UPGRADE'])('an unknown type counts as auth: %o', async (query) => {
    openApp({ at: at(query) });
    expect((await gate('Sign in required')).textContent).toContain('This page needs an account.');
  });

  test('the feature is text, never markup, and cannot fill the page', async () => {
    const markup = `<img src=x onerror=alert(1)>${'long '.repeat(100)}`;
    openApp({ at: at(`?type=auth&feature=${encodeURIComponent(markup)}`) });
    const region = await gate('Sign in required');
    expect(region.querySelector('img')).toBeNull();
    expect(region.textContent).toContain('<img src=x onerror=alert(1)>long');
    expect(region.textContent?.match(/long/g)?.length).toBeLessThan(15);
  });

  test.each([
    ['auth', 'free'],
    ['upgrade', 'pro'],
    ['premium', 'premium'],
  ] as const)('%s: who has it already (%s) goes on to the dashboard', async (type, as) => {
    openApp({ at: at(`?type=${type}`), as });
    await waitFor(() => expect(address()).toBe('/app/'));
  });

  test.each([
    ['upgrade', 'free', 'Pro plan required'],
    ['premium', 'pro', 'Premium+ plan required'],
  ] as const)('%s stays for who is on %s', async (type, as, title) => {
    openApp({ at: at(`?type=${type}`), as });
    await waitFor(async () => expect((await gate(title)).getAttribute('aria-busy')).toBe('false'));
    expect(address()).toBe(at(`?type=${type}`));
  });
});

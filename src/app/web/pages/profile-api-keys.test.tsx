import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { MAX_KEYS } from '#features/api/contract/api-keys.ts';
import { keyOf, usageOf } from '#features/api/web/api-keys/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, broken, byMethod } from '#ui/testing/answers.ts';
import { address, fill, LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const KEY = 'mk_live_Y53XabcdefghijklmnopqrstuvwxyzAB6c1a';
const ONE = '/api/keys/3';

const open = (calls: Record<string, Answer> = {}, plan: Plan = 'pro') =>
  openSignedIn({
    at: '/app/profile?tab=api-keys',
    plan,
    calls: { '/api/keys': answer([keyOf()]), '/api/keys/usage': answer(usageOf()), ...calls },
  });
const card = (name: string) => screen.findByRole('region', { name }, LATE);
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }, LATE));
const copying = () => vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
const logged = () => vi.spyOn(console, 'warn').mockImplementation(() => {});

describe('tab access', () => {
  test('Pro: between Notifications and Security; a chart of the calls of 30 days, and the same as a table; API quick start: three calls, both headers, a sample to copy, and the reference; without a scope none can be created', async () => {
    open();
    await card('API Keys');
    expect(texts(screen.getAllByRole('tab')).join(', ')).toBe(
      'Profile, Subscription, Notifications, API Keys, Security',
    );
    const name = 'Calls per day: 4,650 calls in the last 30 days, 4 refused, peak 300';
    expect(await screen.findByRole('img', { name }, LATE)).toBeDefined();
    await userEvent.click(screen.getByText('As a table'));
    const rows = within(screen.getByRole('table', { name: /^Calls per day/ })).getAllByRole('row');
    expect(rows).toHaveLength(31);
    expect([rows[1]?.textContent, rows[2]?.textContent]).toEqual(['21 Nov 20263000', '20 Nov 20262904']);
    const written = copying();
    const notes = within(await card('API Quick Start'));
    for (const path of ['market-data', 'crypto-prices', 'analysis'])
      expect(notes.getByText(`GET /api/v1/${path}`)).toBeDefined();
    expect(notes.getByText('X-API-Key: YOUR_KEY')).toBeDefined();
    expect(notes.getByText('Authorization: Bearer YOUR_KEY')).toBeDefined();
    await userEvent.click(notes.getByRole('button', { name: 'Copy' }));
    expect(written).toHaveBeenCalledWith(
      expect.stringContaining('/api/v1/crypto-prices" \\\n  -H "X-API-Key: YOUR_KEY"'),
    );
    expect(notes.getByRole('link', { name: /^API reference/ }).getAttribute('href')).toBe('/app/api');
    await press('Create key');
    const form = await dialog('Create an API key');
    await fill('Name', 'Bot');
    for (const box of form.getAllByRole('checkbox', { checked: true })) await userEvent.click(box);
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Create Key' }).disabled).toBe(true);
    expect(form.getByText('Choose at least one permission.')).toBeDefined();
  });

  test('free: the URL leads to an in-place upsell, without a call, and the tab disappears with it', async () => {
    const { fetch } = open({}, 'free');
    const offer = within(await card('API Keys'));
    expect(offer.getByRole('link', { name: 'Upgrade to Pro' }).getAttribute('href')).toBe('/app/subscription');
    expect(await offer.findByText('1,000 calls a day, 10,000 with Premium+')).toBeDefined();
    expect(screen.getByRole('link', { name: /^API reference/ }).getAttribute('href')).toBe('/app/api');
    expect(fetch.mock.calls.filter(([url]) => url.startsWith('/api/keys'))).toEqual([]);
    await userEvent.click(screen.getByRole('tab', { name: 'Profile' }));
    expect(address()).toBe('/app/profile?tab=profile');
    expect(screen.queryByRole('tab', { name: 'API Keys' })).toBeNull();
  });
});

describe('list', () => {
  test('name, hint, scopes, created, last used, usage count, and expiry of the old key; a key never used, and an expired old key', async () => {
    const ended = { last_used: null, usage_count: 1, old_key_until: '2026-11-20T12:00:00.000Z' };
    const keys = [keyOf({ old_key_until: '2026-11-22T12:00:00.000Z' }), keyOf({ id: 4, name: 'Other', ...ended })];
    open({ '/api/keys': answer(keys) });
    const row = within((await screen.findByText('Trading bot', {}, LATE)).closest('li') as HTMLElement);
    expect(row.getByText('mk_live_Y53X…6c1a')).toBeDefined();
    expect([row.getByText('Market'), row.getByText('Analysis')]).toHaveLength(2);
    expect(row.getByText('Created 1 Nov 2026 · last used 1h ago · 1,204 calls')).toBeDefined();
    expect(row.getByText('The previous key works until 22 Nov 2026, 12:00:00 UTC')).toBeDefined();
    expect(screen.getByText('Created 1 Nov 2026 · never used · 1 call')).toBeDefined();
    expect(screen.getAllByText(/The previous key works/)).toHaveLength(1);
  });

  test('loading, and empty', async () => {
    const waiting = Promise.withResolvers<void>();
    open({ '/api/keys': () => waiting.promise.then(() => Response.json([])) });
    expect(await screen.findByText('Loading API Keys', {}, LATE)).toBeDefined();
    waiting.resolve();
    expect(await screen.findByText('No API keys yet')).toBeDefined();
    const written = copying();
    await press('Copy');
    expect(written).toHaveBeenCalledWith(
      expect.stringContaining('/api/v1/crypto-prices" \\\n  -H "X-API-Key: YOUR_KEY"'),
    );
  });

  test('ten at most', async () => {
    open({ '/api/keys': answer(Array.from({ length: MAX_KEYS }, (_, id) => keyOf({ id, name: `Key ${id}` }))) });
    await screen.findByText('Accounts can have up to 10 keys. Deactivate one to create another.', {}, LATE);
    expect(screen.queryByRole('button', { name: 'Create key' })).toBeNull();
  });
});

describe('creating a key', () => {
  test('name and scopes in plain words; the key is shown once, with copy and close', async () => {
    const written = copying();
    const made = answer(keyOf({ api_key: KEY }));
    const { sent } = open({ '/api/keys': byMethod({ GET: answer([]), POST: made }) });
    await screen.findByText('No API keys yet', {}, LATE);
    await press('Create key');
    const form = await dialog('Create an API key');
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Create Key' });
    expect(save.disabled).toBe(true);
    await fill('Name', ' Trading bot ');
    expect(form.getByLabelText<HTMLInputElement>(/Read prices, market totals/).checked).toBe(true);
    expect(form.getByLabelText<HTMLInputElement>(/Create alert rules/).checked).toBe(false);
    await userEvent.click(form.getByLabelText(/Read events and inflation figures/));
    await userEvent.click(save);
    const shown = await dialog('Your API key');
    expect(shown.getByText(KEY)).toBeDefined();
    await userEvent.click(shown.getByRole('button', { name: 'Copy' }));
    expect(written).toHaveBeenCalledWith(KEY);
    expect(await screen.findByText('API key copied to clipboard!', {}, LATE)).toBeDefined();
    await userEvent.click(shown.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(KEY)).toBeNull();
    expect(sent('/api/keys', 'POST')).toEqual([{ name: 'Trading bot', scopes: ['market', 'analysis', 'alerts'] }]);
    expect(sent('/api/keys', 'GET').length).toBeGreaterThan(1);
  });

  test('only logs a failure: the form is unchanged and can be resubmitted', async () => {
    const log = logged();
    let down = true;
    const post: Answer = () => (down ? broken() : Response.json(keyOf({ api_key: KEY })));
    open({ '/api/keys': byMethod({ GET: answer([]), POST: post }) });
    await press('Create key');
    const form = await dialog('Create an API key');
    await fill('Name', 'Trading bot');
    await press('Create Key');
    await waitFor(() => expect(log).toHaveBeenCalledWith('API keys: Couldn’t create the key', expect.anything()));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Trading bot');
    down = false;
    await press('Create Key');
    expect((await dialog('Your API key')).getByText(KEY)).toBeDefined();
  });
});

test.each([
  ['Expire immediately', 0, null, 'The previous key no longer works.'],
  ['1 hour', 1, '2026-11-21T13:00:00.000Z', 'The previous key works until 21 Nov 2026, 13:00:00 UTC.'],
  ['24 hours', 24, '2026-11-22T12:00:00.000Z', 'The previous key works until 22 Nov 2026, 12:00:00 UTC.'],
  ['7 days', 168, '2026-11-28T12:00:00.000Z', 'The previous key works until 28 Nov 2026, 12:00:00 UTC.'],
])('regenerating one: the old key remains valid for: %s', async (choice, overlapHours, old_key_until, words) => {
  const { sent } = open({ [`${ONE}/regenerate`]: answer(keyOf({ api_key: KEY, old_key_until })) });
  await press('Regenerate');
  const form = await dialog('Regenerate Trading bot');
  await userEvent.click(form.getByLabelText(choice));
  await userEvent.click(form.getByRole('button', { name: 'Regenerate' }));
  const shown = await dialog('Your API key');
  expect([shown.getByText(KEY), shown.getByText(words)]).toHaveLength(2);
  expect(sent(`${ONE}/regenerate`, 'PUT')).toEqual([{ overlapHours }]);
});

describe('deactivating a key', () => {});

test.each([
  ['Regenerate', 'Regenerate Trading bot', `${ONE}/regenerate`, 'regenerate'],
  ['Deactivate', 'Deactivate API key', ONE, 'deactivate'],
])('%s: only logs a failure', async (name, title, path, what) => {
  const log = logged();
  open({ [path]: broken });
  await press(name);
  const form = await dialog(title);
  await userEvent.click(form.getByRole('button', { name }));
  await waitFor(() => expect(log).toHaveBeenCalledWith(`API keys: Couldn’t ${what} the key`, expect.anything()));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(await form.findByRole('button', { name })).toBeDefined();
});

describe('usage', () => {
  const usage = (change: Parameters<typeof usageOf>[0]) => open({ '/api/keys/usage': answer(usageOf(change)) });

  test.each([
    [300, '300 of 1,000 calls today', null],
    [800, '800 of 1,000 calls today', '200 left'],
    [1000, '1,000 of 1,000 calls today', 'Quota used up. Calls are rejected until it resets'],
  ])('%i calls today', async (used, words, warning) => {
    usage({ used });
    expect(await screen.findByText(words, {}, LATE)).toBeDefined();
    const card = within(screen.getByRole('region', { name: 'Usage' }));
    const bar = card.getByRole('progressbar', { name: 'Calls today' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax')]).toEqual([String(used), '1000']);
    if (warning) expect(card.getByText(warning)).toBeDefined();
    else expect(card.queryByText(/left$|used up/)).toBeNull();
    expect([card.getByText('80%'), card.getByText('100%')]).toHaveLength(2);
    expect(card.getByText('Resets at 00:00 UTC, in 12 h 0 min. Up to 10 calls per second.')).toBeDefined();
  });

  test('unlimited', async () => {
    usage({ limit: null, burst: null, used: 12_345 });
    expect(await screen.findByText('12,345 calls today, unlimited', {}, LATE)).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.queryByText(/per second/)).toBeNull();
  });

  test('reports unreadable usage and leaves the keys', async () => {
    open({ '/api/keys/usage': broken });
    expect(await screen.findByText('Failed to load your usage', {}, LATE)).toBeDefined();
    expect(await screen.findByText('Trading bot')).toBeDefined();
  });
});

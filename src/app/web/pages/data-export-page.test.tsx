import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { LATE, press } from '#app/web/testing/acts.ts';
import {
  AT,
  createButton,
  expectToast,
  fileAnswer,
  openExports,
  regionText,
  stream,
  TICKET,
} from '#app/web/testing/exports.ts';
import { openApp } from '#app/web/testing/open-app.tsx';
import { EXPORT_ID, itemOf, makingOf, statisticsOf } from '#features/exports/web/exports/fixtures.ts';
import { type Answer, answer, refuse } from '#ui/testing/answers.ts';

const at = '/app/data-export';
const SIGNED_OUT = 'Authentication required. Please log in to access data export features.';
const LOWER = 'Premium subscription required. Data export is only available for Pro, Premium users, or administrators.';
const open = (calls: Record<string, Answer> = {}, plan: 'pro' | 'premium' | 'admin' = 'pro') =>
  openExports({ at, plan, calls });
/** The heading of the page with its form, not of the placeholder before the plan is known. */
const heading = async () => {
  await screen.findByRole('button', { name: 'Create Export' }, LATE);
  return screen.getByRole('heading', { level: 1, name: 'Data Export' });
};
const checked = () => screen.getAllByRole<HTMLInputElement>('radio').filter((radio) => radio.checked).length;
const never: Answer = () => new Promise<Response>(() => {});

describe('access', () => {
  test.each([
    ['anonymous', SIGNED_OUT],
    ['free', LOWER],
  ] as const)('%s: the upsell with its text, and the exports of each plan', async (as, words) => {
    openApp({ at, as });
    const upsell = await screen.findByRole('region', { name: 'Data Export' }, LATE);
    expect(upsell.textContent).toContain(words);
    expect(within(upsell).getByRole('link', { name: 'Upgrade to Pro' })).toBeDefined();
    const signIn = within(upsell).queryByRole('link', { name: 'Sign In' });
    expect(signIn?.getAttribute('href')).toBe(as === 'anonymous' ? '/app?auth=login' : undefined);
    const table = screen.getByRole('region', { name: 'What Each Plan Exports' });
    expect(within(table).queryAllByText('Yours')).toHaveLength(as === 'free' ? 1 : 0);
    expect(screen.queryByRole('button', { name: 'Create Export' })).toBeNull();
  });

  test.each(['pro', 'premium', 'admin'] as const)('%s: the form, the history, the statistics', async (plan) => {
    open({}, plan);
    await heading();
    expect(document.title).toBe('Data Export · Meridian');
    expect(await screen.findByText('No exports yet')).toBeDefined();
    expect(await createButton()).toBeDefined();
    expect(screen.getByRole('region', { name: 'Settings File' })).toBeDefined();
    const own = screen.getByRole('columnheader', { name: /Yours/ });
    expect(own.textContent).toContain(plan === 'pro' ? 'Pro' : 'Premium+/Admin');
  });
});

describe('creating an export', () => {
  test('every type, range and format of the basic page, and no other; crypto prices of 7 days as JSON are the default; the file uses the name from the server', async () => {
    const { sent, kept, toasts, fetch } = open({ [AT.create]: fileAnswer() });
    await heading();
    expect(screen.getByLabelText<HTMLInputElement>('Crypto prices').checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>('7 days').checked).toBe(true);
    expect(screen.getByLabelText<HTMLInputElement>('JSON').checked).toBe(true);
    expect(checked()).toBe(3);
    await press('Create Export');
    await expectToast(() => toasts().success, 'Export created successfully!', 15_000);
    expect(kept).toEqual(['meridian-crypto_prices-7d.json']);
    expect(sent(AT.create, 'POST')).toEqual([{ dataType: 'crypto_prices', dateRange: '7d', format: 'json' }]);
    await waitFor(() => expect(sent(AT.history, 'GET').length).toBeGreaterThan(1));
    expect(fetch.mock.calls.find(([url]) => url === AT.create)?.[1]?.headers).toMatchObject({
      authorization: 'Bearer ann-token',
    });
    const names = screen
      .getAllByRole('radio')
      .map((radio) => radio.getAttribute('aria-label') ?? radio.parentElement?.textContent);
    expect(names.slice(0, 6).join(', ')).toBe(
      'Crypto prices, Market data, Fear and greed, Narratives, AI analysis, All data',
    );
    expect(names.slice(6, 12)).toEqual(['1 day', '7 days', '30 days', '90 days', '1 year', 'All time']);
    expect(names.slice(12)).toEqual(['CSV', 'JSON', 'Excel']);
    for (const name of ['All data', 'All time', 'Excel']) await userEvent.click(screen.getByLabelText(name));
    await press('Create Export');
    const all = { dataType: 'all_data', dateRange: 'all', format: 'xlsx' };
    await waitFor(() => expect(sent(AT.create, 'POST').at(-1)).toEqual(all));
  });

  test('disables the button during a run and ignores another click', async () => {
    const { sent } = open({ [AT.create]: never });
    await heading();
    await press('Create Export');
    const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating Export...' });
    expect(busy.disabled).toBe(true);
    await userEvent.click(busy);
    expect(sent(AT.create, 'POST')).toHaveLength(1);
  });

  test.each<[string, Answer, string]>([
    ['words', refuse(429, 'You have used your exports', 'rate_limited'), 'You have used your exports'],
    ['no server', () => Promise.reject(new TypeError('Failed to fetch')), 'The server is unreachable'],
  ])('a failure, %s: a five-second toast, and the reason in place', async (_, failing, words) => {
    const { toasts } = open({ [AT.create]: failing });
    await heading();
    await press('Create Export');
    await expectToast(() => toasts().error, `Export failed: ${words}`, 5_000);
    expect((await screen.findByRole('alert')).textContent).toBe(words);
    expect((await createButton()).disabled).toBe(false);
  });

  test('a large one runs in the background: streamed progress, then its file', async () => {
    let items = [makingOf({ progress: 0 })];
    const { toasts, kept } = open({
      [AT.create]: () => Response.json({ id: EXPORT_ID, status: 'waiting', url: '' }, { status: 202 }),
      [AT.history]: () => Response.json(items),
      [`${AT.one}/file`]: fileAnswer('all.json'),
      ...TICKET,
    });
    items = [];
    await heading();
    await screen.findByText('No exports yet');
    items = [makingOf({ progress: 0 })];
    await press('Create Export');
    expect(await screen.findByText(/^Crypto prices is being created in the background/)).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Creating Export...' }).disabled).toBe(true);
    expect(kept).toEqual([]);
    (await stream()).say('exports', { id: EXPORT_ID, state: 'running', progress: 0.42 });
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42'));
    items = [itemOf()];
    (await stream()).say('exports', { id: EXPORT_ID, state: 'done', progress: 1 });
    await expectToast(() => toasts().success, 'Your export is ready to download.', 15_000);
    expect((await createButton()).disabled).toBe(false);
    await press('Download');
    await waitFor(() => expect(kept).toEqual(['all.json']));
  });

  test('a large one that fails explains why', async () => {
    let items = [makingOf()];
    const { toasts } = open({
      [AT.create]: () => Response.json({ id: EXPORT_ID, status: 'waiting', url: '' }, { status: 202 }),
      [AT.history]: () => Response.json(items),
      ...TICKET,
    });
    items = [];
    await heading();
    await screen.findByText('No exports yet');
    items = [makingOf()];
    await press('Create Export');
    await screen.findByRole('progressbar');
    items = [makingOf({ state: 'failed', error: 'The disk is full' })];
    (await stream()).say('exports', { id: EXPORT_ID, state: 'failed', progress: 0.4 });
    await expectToast(() => toasts().error, 'Export failed: The disk is full', 5_000);
  });
});

describe('statistics', () => {
  test('total, this month, megabytes, and today’s remaining quota', async () => {
    open();
    await heading();
    await waitFor(async () => expect(await regionText('Export Statistics')).toContain('Total exports1,234'));
    const text = await regionText('Export Statistics');
    expect(text).toContain('This month12Total MB87.3');
    expect(text).toContain('3 of 20 exports used today. Resets on ');
  });

  test('unlimited', async () => {
    open({ [AT.statistics]: answer(statisticsOf({ perDay: null })) }, 'premium');
    await heading();
    expect(await screen.findByText('3 today, unlimited')).toBeDefined();
  });
});

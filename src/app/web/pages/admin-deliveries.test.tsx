// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { type AdminDelivery, adminDelivery } from '#features/notifications/contract/notifications.ts';
import { deliveryOf } from '#features/notifications/web/notifications/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

const LIST = '/api/admin/deliveries';
const FAILED = { state: 'failed', sentAt: null, latencyMs: null } as const;
const failedOf = (id: number, change: Partial<AdminDelivery> = {}): AdminDelivery => ({
  ...deliveryOf(id, FAILED),
  userId: 2,
  email: 'ann@example.com',
  ...change,
});
const dead = [
  failedOf(9, { channel: 'webhook', title: 'BTC went above 70,000 USD', tries: 6, note: 'Desk answered 500' }),
  failedOf(8, { userId: 3, email: 'bo@example.org', severity: 'high', note: '550 no such mailbox' }),
  failedOf(7, { channel: 'push', title: 'SSR fell below 6' }),
];
const listOf = (deliveries: readonly AdminDelivery[], total = deliveries.length) => answer({ deliveries, total });
const byChannel: Answer = (url) => {
  const channel = new URL(url, 'http://here').searchParams.get('channel');
  const found = dead.filter((each) => channel === null || each.channel === channel);
  return Response.json({ deliveries: found, total: found.length });
};
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=deliveries', plan: 'admin', calls: { [LIST]: byChannel, ...calls } });
const row = (name: RegExp) => screen.findByRole('row', { name }, LATE);
const cells = async (name: RegExp) => [...(await row(name)).children].map((cell) => cell.textContent.trim());
const retry = async (name: RegExp) => userEvent.click(within(await row(name)).getByRole('button', { name: 'Retry' }));
const outcome = async (name: RegExp) =>
  within(await row(name))
    .getByRole('status')
    .textContent.trim();

test('the test data keep the contract', () => {
  expect(dead.map((each) => adminDelivery.parse(each))).toEqual(dead);
});

test('what was to be delivered to whom, by which channel, when, how often it was tried and what was answered', async () => {
  open();
  expect(await cells(/70,000/)).toEqual([
    'BTC went above 70,000 USDmedium severity',
    'ann@example.comID 2',
    'Webhook',
    '3m ago',
    '6 tries',
    'Desk answered 500',
    'Retry',
  ]);
  expect(await cells(/bo@/)).toEqual([
    'Alert 8high severity',
    'bo@example.orgID 3',
    'Email',
    '3m ago',
    '1 try',
    '550 no such mailbox',
    'Retry',
  ]);
  expect((await cells(/SSR/))[5]).toBe('None was kept');
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'What',
    'Who',
    'Channel',
    'When',
    'Tries',
    'Last answer',
    'Actions',
  ]);
  expect(screen.getByText('3 failed deliveries')).toBeDefined();
});

test('more than are listed are counted', async () => {
  open({ [LIST]: listOf(dead, 4120) });
  await row(/70,000/);
  expect(screen.getByText('newest 3 of 4,120')).toBeDefined();
});

test('one channel alone; none of it says so', async () => {
  const { sent } = open();
  await row(/70,000/);
  await userEvent.click(screen.getByRole('radio', { name: 'Push' }));
  expect(await screen.findByText('1 failed delivery')).toBeDefined();
  expect(screen.queryByText(/70,000/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Telegram' }));
  expect(await screen.findByText('None by Telegram.')).toBeDefined();
  expect(sent(LIST, 'GET')).toContain(`${LIST}?channel=telegram`);
});

test('empty, and read again with Refresh', async () => {
  let list: readonly AdminDelivery[] = [];
  open({ [LIST]: () => Response.json({ deliveries: list, total: list.length }) });
  expect(await screen.findByText('No failed deliveries', {}, LATE)).toBeDefined();
  list = dead;
  const card = screen.getByRole('region', { name: 'Failed deliveries' });
  await userEvent.click(within(card).getByRole('button', { name: 'Refresh' }));
  expect(await row(/70,000/)).toBeDefined();
});

test('loading', async () => {
  open({ [LIST]: () => new Promise(() => {}) });
  expect(await screen.findByText('Loading failed deliveries', {}, LATE)).toBeDefined();
});

test("error: 'Failed to load admin data', with Retry", async () => {
  let down = true;
  open({ [LIST]: (url) => (down ? broken() : byChannel(url)) });
  expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to load admin data');
  down = false;
  await press('Retry');
  expect(await row(/70,000/)).toBeDefined();
});

test('a retry: the row says what became of it, the others stay', async () => {
  let now: AdminDelivery = { ...dead[0]!, state: 'waiting', tries: 0, note: null };
  const { sent, queries } = open({
    [`${LIST}/9/retry`]: answer({ id: 9, state: 'waiting' }),
    [`${LIST}/9`]: () => Response.json(now),
  });
  await retry(/70,000/);
  await waitFor(async () => expect(await outcome(/70,000/)).toBe('Waiting'));
  const button = within(await row(/70,000/)).getByRole('button', { name: 'Retrying...' });
  await userEvent.click(button);
  expect(sent(`${LIST}/9/retry`, 'POST')).toHaveLength(1);
  now = { ...now, state: 'sent', tries: 1, note: 'to 2 webhooks' };
  await queries.invalidateQueries({ queryKey: ['retried-delivery'] });
  await waitFor(async () => expect(await outcome(/70,000/)).toBe('Accepted to 2 webhooks'));
  expect((await cells(/70,000/))[4]).toBe('1 try');
  // It keeps the focus, and does nothing more.
  expect([button.textContent, button.getAttribute('aria-disabled'), document.activeElement]).toEqual([
    'Retried',
    'true',
    button,
  ]);
  await userEvent.click(button);
  expect(sent(`${LIST}/9/retry`, 'POST')).toHaveLength(1);
  expect(within(await row(/bo@/)).getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('one that fails again says with what answer, and can be tried once more', async () => {
  const { sent } = open({
    [`${LIST}/9/retry`]: answer({ id: 9, state: 'waiting' }),
    [`${LIST}/9`]: answer({ ...dead[0], tries: 1, note: 'Desk answered 400' }),
  });
  await retry(/70,000/);
  await waitFor(async () => expect(await outcome(/70,000/)).toBe('Failed Desk answered 400'));
  await retry(/70,000/);
  await waitFor(() => expect(sent(`${LIST}/9/retry`, 'POST')).toHaveLength(2));
});

test.each([
  ['the server’s own words', refuse(409, 'This delivery has not failed', 'conflict'), 'This delivery has not failed'],
  ['without any', () => Promise.reject(new TypeError('Failed to fetch')), 'Failed to retry the delivery'],
])('a retry that is refused: %s', async (_what, refused, words) => {
  open({ [`${LIST}/9/retry`]: refused });
  await retry(/70,000/);
  const alert = await within(await row(/70,000/)).findByRole('alert');
  expect(alert.textContent).toBe(words);
  expect(await outcome(/70,000/)).toBe('Desk answered 500');
});

test('what became of a retry cannot be read: that is said', async () => {
  open({ [`${LIST}/9/retry`]: answer({ id: 9, state: 'waiting' }), [`${LIST}/9`]: broken });
  await retry(/70,000/);
  const alert = await within(await row(/70,000/)).findByRole('alert', {}, LATE);
  expect(alert.textContent).toBe('What became of it could not be read');
});

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type AdminDelivery } from '#features/notifications/contract/notifications.ts';
import { deliveryOf } from '#features/notifications/web/notifications/fixtures.ts';
import { type AdminIncident } from '#features/site/contract/status.ts';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { fill, LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

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

test('shows content, recipient, channel, time, attempts and response of each delivery', async () => {
  open();
  expect((await cells(/70,000/)).join(', ')).toBe(
    'BTC went above 70,000 USDmedium severity, ann@example.comID 2, Webhook, 3m ago, 6 tries, Desk answered 500, Retry',
  );
  expect((await cells(/bo@/)).join(', ')).toBe(
    'Alert 8high severity, bo@example.orgID 3, Email, 3m ago, 1 try, 550 no such mailbox, Retry',
  );
  expect((await cells(/SSR/))[5]).toBe('No response recorded');
  expect(texts(screen.getAllByRole('columnheader')).join(', ')).toBe(
    'Notification, User, Channel, Time, Tries, Last response, Actions',
  );
  expect(screen.getByText('3 failed deliveries')).toBeDefined();
});

test('counts those beyond the listed ones', async () => {
  open({ [LIST]: listOf(dead, 4120) });
  await row(/70,000/);
  expect(screen.getByText('latest 3 of 4,120')).toBeDefined();
});

test('filters by one channel and shows its empty state', async () => {
  const { sent } = open();
  await row(/70,000/);
  await userEvent.click(screen.getByRole('radio', { name: 'Push' }));
  expect(await screen.findByText('1 failed delivery')).toBeDefined();
  expect(screen.queryByText(/70,000/)).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Telegram' }));
  expect(await screen.findByText('No failures for Telegram.')).toBeDefined();
  expect(sent(LIST, 'GET')).toContain(`${LIST}?channel=telegram`);
});

test('a retry updates its row with the outcome and leaves the others', async () => {
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
  // It stays focused and does nothing more.
  expect([button.textContent, button.getAttribute('aria-disabled'), document.activeElement]).toEqual([
    'Retried',
    'true',
    button,
  ]);
  await userEvent.click(button);
  expect(sent(`${LIST}/9/retry`, 'POST')).toHaveLength(1);
  expect(within(await row(/bo@/)).getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a repeated failure shows the response and can be retried again', async () => {
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
])('a rejected retry: %s', async (_what, refused, words) => {
  open({ [`${LIST}/9/retry`]: refused });
  await retry(/70,000/);
  const alert = await within(await row(/70,000/)).findByRole('alert');
  expect(alert.textContent).toBe(words);
  expect(await outcome(/70,000/)).toBe('Desk answered 500');
});

test('reports when the outcome of a retry cannot be read', async () => {
  open({ [`${LIST}/9/retry`]: answer({ id: 9, state: 'waiting' }), [`${LIST}/9`]: broken });
  await retry(/70,000/);
  const alert = await within(await row(/70,000/)).findByRole('alert', {}, LATE);
  expect(alert.textContent).toBe('Couldn’t load the result');
});

describe('status page', () => {
  const LIST = '/api/admin/incidents';
  const written: AdminIncident = {
    id: 7,
    kind: 'written',
    title: 'Emails are <b>late</b>',
    impact: 'minor',
    components: ['alerts'],
    stage: 'identified',
    startsAt: '2026-11-21T11:00:00.000Z',
    endsAt: null,
    author: 'root@example.com',
    retractedAt: null,
    updates: [
      { at: '2026-11-21T11:30:00.000Z', stage: 'identified', message: 'A queue was full.', author: 'root@example.com' },
      { at: '2026-11-21T11:00:00.000Z', stage: 'investigating', message: 'We are looking.', author: null },
    ],
  };
  const measured: AdminIncident = {
    ...written,
    id: 6,
    kind: 'measured',
    title: 'Outage: Website and API',
    impact: 'major',
    components: ['website'],
    stage: null,
    author: null,
    updates: [],
  };
  const retracted: AdminIncident = { ...written, id: 5, title: 'By mistake', retractedAt: '2026-11-20T10:05:00.000Z' };
  const all = [written, measured, retracted];
  const listOf = (incidents: readonly AdminIncident[]) => answer({ incidents, more: false });
  const open = (calls: Record<string, Answer> = {}) =>
    openSignedIn({ at: '/app/admin?tab=status', plan: 'admin', calls: { [LIST]: listOf(all), ...calls } });
  const item = (name: string | RegExp) => screen.findByRole('article', { name }, LATE);
  const buttons = async (name: string | RegExp) => texts(within(await item(name)).queryAllByRole('button'));
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }, LATE));
  const success = answer({ success: true });

  test('shows event, progress, authors of updates and available actions; measured incidents cannot be resolved by hand', async () => {
    open();
    const text = (await item('Emails are <b>late</b>')).textContent;
    for (const words of [
      'Minor impact',
      'Identified',
      'Alerts and notifications',
      'root@example.com',
      'A queue was full.',
    ])
      expect(text).toContain(words);
    expect(await buttons(/Emails/)).toEqual(['Add update to Emails are <b>late</b>', 'Retract Emails are <b>late</b>']);
    expect((await item(/Outage/)).textContent).toContain('Major impactOngoingMeasured');
    expect(await buttons(/Outage/)).toEqual(['Add update to Outage: Website and API']);
    expect((await item('By mistake')).textContent).toContain('Retracted');
    expect(await buttons('By mistake')).toEqual([]);
    await item(/Outage/);
    await press(/^Add update to Outage/);
    const states = [...(await dialog(/^Update: Outage/)).getByLabelText<HTMLSelectElement>('State').options];
    expect(states.map(({ text }) => text)).toEqual(['Investigating', 'Identified', 'Monitoring']);
  });

  test('a maintenance shows its planned time in UTC in place of a state', async () => {
    const { sent } = open({ [LIST]: byMethod({ GET: listOf(all), POST: answer({ id: 8 }) }) });
    await item(/Emails/);
    await press('New incident');
    await fill('Title', 'New disks');
    const form = await dialog('New incident');
    await userEvent.selectOptions(form.getByLabelText('Impact'), 'Maintenance');
    expect(form.queryByLabelText('State')).toBeNull();
    await userEvent.type(form.getByLabelText('From (UTC)'), '2026-12-01T02:00');
    await userEvent.type(form.getByLabelText('Until (UTC)'), '2026-12-01T03:30');
    await userEvent.type(form.getByLabelText('Message'), 'Reading goes on.');
    await userEvent.click(form.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(LIST, 'POST')).toMatchObject([
      { startsAt: '2026-12-01T02:00:00.000Z', endsAt: '2026-12-01T03:30:00.000Z' },
    ]);
  });

  test('an update continues from the current state, and resolving is one of the options', async () => {
    const { sent } = open({ [`${LIST}/7/updates`]: success });
    await item(/Emails/);
    await press(/^Add update to Emails/);
    const form = await dialog(/^Update: Emails/);
    expect(form.getByLabelText<HTMLSelectElement>('State').value).toBe('identified');
    await userEvent.selectOptions(form.getByLabelText('State'), 'Resolved');
    await userEvent.type(form.getByLabelText('Message'), 'All mails have gone out.');
    await userEvent.click(form.getByRole('button', { name: 'Resolve' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent(`${LIST}/7/updates`, 'POST')).toEqual([{ stage: 'resolved', message: 'All mails have gone out.' }]);
  });

  test('a refusal keeps the dialog open with its reason', async () => {
    open({ [`${LIST}/7/retract`]: refuse(409, 'The incident was retracted', 'conflict') });
    await item(/Emails/);
    await press(/^Retract Emails/);
    const asked = await dialog('Retract the incident?');
    await userEvent.click(asked.getByRole('button', { name: 'Retract' }));
    expect((await asked.findByRole('alert')).textContent).toBe('The incident was retracted');
  });
});

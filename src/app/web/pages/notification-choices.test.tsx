import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';

import type { NotificationPreferences } from '#features/notifications/contract/notifications.ts';
import { preferencesOf } from '#features/notifications/web/notifications/fixtures.ts';

import { LATE, press, texts } from '../testing/acts.ts';
import { box, flip, isOn, openNotifications, toggle } from '../testing/notifications.ts';

const card = async (name: string) => within(await screen.findByRole('region', { name }, LATE));
const stored = (app: ReturnType<typeof openNotifications>) => app.kept.preferences;
const choose = async (label: string, value: string) =>
  userEvent.selectOptions(await screen.findByLabelText(label, {}, LATE), value);
const open = (change: Partial<NotificationPreferences>) =>
  openNotifications({ stored: preferencesOf({ notificationPreferences: change }) });

test('email, push and telegram each have a switch that shows its state; a disabled channel is named, its checkboxes are retained but disabled', async () => {
  openNotifications();
  await toggle('Email notifications');
  const channels = await card('Channels');
  const stands = ['Email', 'Push', 'Telegram'].map((name) =>
    channels.getByRole('switch', { name: `${name} notifications` }).getAttribute('aria-checked'),
  );
  expect(stands).toEqual(['true', 'false', 'false']);
  expect(channels.getByRole('switch', { name: 'Email notifications' }).textContent).toBe('On');
  const push = await box('Market by Push');
  expect([push.disabled, push.checked]).toEqual([true, true]);
  const words = 'are off under Channels: selections are saved but nothing is sent.';
  expect(screen.getByText(`Push and Telegram ${words}`)).toBeDefined();
});

describe('event notifications', () => {
  test('the windows are 1, 2, 3, 5 and 7 days, and remain sorted; without a window the page requires one', async () => {
    const app = openNotifications();
    const events = await card('Event Notifications');
    const windows = ['1 day', '2 days', '3 days', '5 days', '7 days'];
    expect(windows.filter((name) => events.getByLabelText<HTMLInputElement>(name).checked)).toEqual(['3 days']);
    await userEvent.click(events.getByLabelText('7 days'));
    await userEvent.click(events.getByLabelText('1 day'));
    await waitFor(() => expect(stored(app).eventNotificationWindows).toEqual([1, 3, 7]));
    await userEvent.click(events.getByLabelText('3 days'));
    await waitFor(() => expect(stored(app).eventNotificationWindows).toEqual([1, 7]));
    for (const name of ['1 day', '7 days']) await userEvent.click(await box(name));
    expect((await events.findByRole('alert')).textContent).toBe('Please select at least one notification window');
    await waitFor(() => expect(stored(app).eventNotificationWindows).toEqual([]));
    await userEvent.click(await box('1 day'));
    expect(events.queryByRole('alert')).toBeNull();
  });

  test("without a channel: 'Please select at least one notification channel'", async () => {
    const app = openNotifications({ stored: preferencesOf({ eventNotificationChannels: ['email'] }) });
    const events = await card('Event Notifications');
    await userEvent.click(events.getByLabelText('Email'));
    expect(events.getByRole('alert').textContent).toBe('Please select at least one notification channel');
    await waitFor(() => expect(stored(app).eventNotificationChannels).toEqual([]));
  });

  test('only disabled channels: warns that nothing is sent', async () => {
    openNotifications({ stored: preferencesOf({ eventNotificationChannels: ['push'] }) });
    const events = await card('Event Notifications');
    expect(events.getByRole('alert').textContent).toBe('Every channel selected here is off, so no reminders are sent');
  });

  test('event selection: all, high such as FOMC, CPI, Bitcoin halving, or high and medium; a channel is selectable only while its master switch is on, and explains why', async () => {
    const app = openNotifications();
    const events = await card('Event Notifications');
    expect(events.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      'All events including low impact, such as monthly expiries',
      'High and medium impact with PPI, FOMC minutes and GDP too',
      'High impact only such as FOMC, CPI, Bitcoin halving',
    ]);
    await userEvent.click(events.getByLabelText(/^High impact only/));
    await waitFor(() => expect(stored(app).eventImpactFilter).toBe('high'));
    await userEvent.click(events.getByLabelText(/^High and medium/));
    await waitFor(() => expect(stored(app).eventImpactFilter).toBe('high_medium'));
    const telegram = () => events.getByRole<HTMLInputElement>('checkbox', { name: /^Telegram/ });
    expect(telegram().disabled).toBe(true);
    expect(events.getByText('Turn on Telegram under Channels first')).toBeDefined();
    await flip('Telegram notifications');
    expect(telegram().disabled).toBe(false);
    expect(events.queryByText('Turn on Telegram under Channels first')).toBeNull();
    await userEvent.click(telegram());
    await waitFor(() => expect(stored(app).eventNotificationChannels).toEqual(['email', 'push', 'telegram']));
    await flip('Telegram notifications');
    expect([telegram().disabled, telegram().checked]).toEqual([true, true]);
  });

  test('when off, other options are hidden but stored', async () => {
    const app = openNotifications();
    await flip('Event notifications');
    expect(screen.queryByText('Notify me before')).toBeNull();
    await waitFor(() => expect(stored(app)).toEqual(preferencesOf({ eventNotifications: false })));
    expect(await isOn('Event notifications')).toBe(false);
  });
});

describe('content and channels', () => {
  test('five kinds of notifications by three channels; a checkbox changes one, and without webhooks their selection is retained', async () => {
    const app = openNotifications();
    const reach = await card('What You Receive, and Where');
    expect(texts(reach.getAllByRole('columnheader')).join(', ')).toBe('What, Email, Push, Telegram');
    expect(
      reach
        .getAllByRole('rowheader')
        .map((head) => head.firstChild?.textContent)
        .join(', '),
    ).toBe('Your rules, Market, AI consensus, Inflation, Product news');
    await userEvent.click(await box('AI consensus by Email'));
    await waitFor(() => expect(stored(app).notificationPreferences.categories.ai).toEqual(['push']));
    const { categories } = preferencesOf().notificationPreferences;
    expect(stored(app).notificationPreferences.categories).toEqual({ ...categories, ai: ['push'] });
    await userEvent.click(await box('Market by Email'));
    await waitFor(() =>
      expect(stored(app).notificationPreferences.categories.market).toEqual(['push', 'telegram', 'webhook']),
    );
  });

  test('webhooks are a Premium+ column, and its selection survives a lower plan', async () => {
    const premium = openNotifications({ plan: 'premium' });
    await userEvent.click(await box('AI consensus by Webhook'));
    await waitFor(() =>
      expect(stored(premium).notificationPreferences.categories.ai).toEqual(['email', 'push', 'webhook']),
    );
  });
});

describe('timing', () => {
  test('the browser time zone is offered but never applied automatically', async () => {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const other = own === 'Europe/Vienna' ? 'Asia/Tokyo' : 'Europe/Vienna';
    const app = open({ timeZone: other });
    const offer = `Use this browser’s zone, ${own.replaceAll('_', ' ')}`;
    await press(offer);
    await waitFor(() => expect(stored(app).notificationPreferences.timeZone).toBe(own));
    expect(app.saved()).toHaveLength(1);
    expect(screen.queryByRole('button', { name: offer })).toBeNull();
    await choose('Time zone', other);
    await waitFor(() => expect(stored(app).notificationPreferences.timeZone).toBe(other));
  });

  test('quiet hours: from, to, and whether high severity is exempt', async () => {
    const app = openNotifications();
    expect(await screen.findByText('Alerts are sent immediately. No quiet hours.', {}, LATE)).toBeDefined();
    await flip('Quiet hours');
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '23:15' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '06:00' } });
    await userEvent.click(screen.getByLabelText('Allow high severity'));
    const quietHours = { enabled: true, from: '23:15', to: '06:00', letHighThrough: false };
    await waitFor(() => expect(stored(app)).toEqual(preferencesOf({ notificationPreferences: { quietHours } })));
    expect(screen.getByText(/From 23:15 to 06:00 UTC nothing is sent; everything waits until 06:00\.$/)).toBeDefined();
  });

  test('does not save an incomplete time and reports a range without quiet hours', async () => {
    const app = open({ quietHours: { enabled: true, from: '22:00', to: '07:00', letHighThrough: true } });
    fireEvent.change(await screen.findByLabelText('From', {}, LATE), { target: { value: '' } });
    expect(app.saved()).toEqual([]);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '07:00' } });
    expect(screen.getByText('Start and end are the same, so quiet hours have no effect')).toBeDefined();
  });

  test('the digest: hourly, daily or weekly, with its options, and a summary', async () => {
    const app = open({ timeZone: 'Europe/Vienna' });
    await choose('Digest by email', 'daily');
    const said = 'Low and medium severity alerts are emailed as a digest every day at 08:00 Europe/Vienna';
    expect(await screen.findByText(new RegExp(said))).toBeDefined();
    expect(screen.queryByLabelText('Weekday')).toBeNull();
    await choose('Digest by email', 'weekly');
    await choose('Weekday', '5');
    await choose('Hour', '18');
    expect(screen.getByText(/digest every Friday at 18:00 Europe\/Vienna/)).toBeDefined();
    await waitFor(() =>
      expect(stored(app).notificationPreferences.digest).toEqual({ every: 'weekly', hour: 18, weekday: 5 }),
    );
    await choose('Digest by email', 'hourly');
    expect(screen.queryByLabelText('Hour')).toBeNull();
    await flip('Email notifications');
    expect(screen.getByText('Digests are sent by email, but Email is off under Channels')).toBeDefined();
  });
});

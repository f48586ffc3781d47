import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { events, ignoredEvent, study } from '#features/events/web/fixtures.ts';
import { listReminders } from '#features/notifications/contract/notifications.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { address, LATE, press } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const CALLS: Record<string, Answer> = { '/api/events': answer(events), '/api/events/study': answer(study) };
const item = async (title: string) =>
  (await screen.findByRole('heading', { level: 3, name: title }, LATE)).closest('li') as HTMLElement;
const stat = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) });

describe('additional admin features', () => {
  const LIST = '/api/admin/events/all';
  const open = (at = '/app/events', calls: Record<string, Answer> = {}, plan: 'admin' | 'premium' = 'admin') =>
    openSignedIn({ at, plan, calls: { ...CALLS, [LIST]: answer([...events, ignoredEvent]), ...calls } });

  test('are hidden from others, who cannot enable them by URL either', async () => {
    const { sent } = open('/app/events?ignored=1', {}, 'premium');
    await item('US CPI, October');
    expect(within(await item('US CPI, October')).queryAllByRole('button')).toEqual([]);
    expect(within(screen.getByRole('search')).queryByRole('button', { name: 'Refresh' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'Show Ignored Events' })).toBeNull();
    expect(sent(LIST, 'GET')).toEqual([]);
  });

  test("'Show Ignored Events' loads every event, a tenth of a second later, and the delete confirmation remains; they are not counted", async () => {
    const { sent } = open();
    const button = within(await item('US CPI, October')).findByRole('button', { name: 'Delete' }, LATE);
    await userEvent.click(await button);
    const dialog = await screen.findByRole('dialog', { name: 'Delete event' });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Show Ignored Events' }));
    expect(sent(LIST, 'GET')).toEqual([]);
    expect(within(await item('A rumor of an unlock')).getByText('Ignored')).toBeDefined();
    expect(screen.getByRole('dialog', { name: 'Delete event' })).toBe(dialog);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(address()).toBe('/app/events?ignored=1');
    expect(stat('Total Events').textContent).toContain('8');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Show Ignored Events' }));
    await waitFor(() => expect(screen.queryByText('A rumor of an unlock')).toBeNull());
  });

  test('Ignore and Unignore refetch the list', async () => {
    const { sent } = open('/app/events?ignored=1', {
      '/api/admin/events/2/ignore': answer({}),
      '/api/admin/events/10/unignore': answer({}),
    });
    const unlock = await item('A rumor of an unlock');
    const before = sent(LIST, 'GET').length;
    await userEvent.click(within(unlock).getByRole('button', { name: 'Unignore' }));
    await waitFor(() => expect(sent('/api/admin/events/10/unignore', 'POST')).toHaveLength(1));
    await waitFor(() => expect(sent(LIST, 'GET').length).toBeGreaterThan(before));
    await userEvent.click(within(await item('US CPI, October')).getByRole('button', { name: 'Ignore' }));
    await waitFor(() => expect(sent('/api/admin/events/2/ignore', 'POST')).toHaveLength(1));
  });

  test('Refresh refetches the list; a failed action leaves the event unchanged without a message', async () => {
    const { sent } = open('/app/events', { '/api/admin/events/2/ignore': broken });
    await item('US CPI, October');
    const before = sent('/api/events', 'GET').length;
    await userEvent.click(await within(screen.getByRole('search')).findByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(sent('/api/events', 'GET').length).toBeGreaterThan(before));
    const afterwards = sent('/api/events', 'GET').length;
    await userEvent.click(within(await item('US CPI, October')).getByRole('button', { name: 'Ignore' }));
    await waitFor(() => expect(sent('/api/events', 'GET').length).toBeGreaterThan(afterwards));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('Events Management', () => {
  const UPCOMING = events.filter(({ status }) => status === 'upcoming');
  const open = (calls: Record<string, Answer> = {}) =>
    openSignedIn({
      at: '/app/admin?tab=events',
      plan: 'admin',
      calls: {
        '/api/admin/events/all': answer([...events, ignoredEvent]),
        '/api/admin/events': answer(UPCOMING),
        '/api/admin/events/past': answer(events.filter(({ status }) => status === 'past')),
        ...calls,
      },
    });
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) }, LATE);

  test("title, status, Ignored, date and time, category, source and description of each; search by title; 'No events found'", async () => {
    open();
    expect((await row('US CPI')).textContent).toMatch(
      /^US CPI, OctoberConsumer Price Index.*UpcomingTue, 24 Nov 2026 \d\d:\d\d .*InflationBureau of Labor Statistics/,
    );
    expect((await row('US PPI')).textContent).toContain('Past');
    expect((await row('A rumor')).textContent).toContain('Ignored');
    expect((await row('Untitled Event')).textContent).toContain('N/A');
    expect(screen.getByText('10 of 10 events')).toBeDefined();
    await row('US CPI');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by title' }), 'halving');
    expect(await screen.findByText('1 of 10 events')).toBeDefined();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by title' }), ' of what');
    expect(await screen.findByText('No events found')).toBeDefined();
  });

  test('all, upcoming and past: each requests its own list; Refresh refetches it', async () => {
    const { sent } = open();
    await row('US PPI');
    await userEvent.click(screen.getByRole('radio', { name: 'Upcoming' }));
    await waitFor(() => expect(screen.queryByText('US PPI, October')).toBeNull());
    await userEvent.click(screen.getByRole('radio', { name: 'Past' }));
    await row('US PPI');
    expect(screen.queryByText('US CPI, October')).toBeNull();
    const paths = ['/api/admin/events/all', '/api/admin/events', '/api/admin/events/past'];
    expect(paths.map((path) => sent(path, 'GET').length > 0)).toEqual([true, true, true]);
    const before = sent('/api/admin/events/past', 'GET').length;
    await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(sent('/api/admin/events/past', 'GET').length).toBeGreaterThan(before));
  });

  test('the delete confirmation remains while the list is searched and refetched', async () => {
    const { sent } = open({ '/api/admin/events/2': answer({ ok: true }) });
    await userEvent.click(within(await row('US CPI')).getByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete event' });
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search by title' }), 'halving');
    expect(await screen.findByText('1 of 10 events')).toBeDefined();
    fireEvent.click(screen.getByRole('radio', { name: 'Past' }));
    await waitFor(() => expect(sent('/api/admin/events/past', 'GET').length).toBeGreaterThan(0));
    expect(await screen.findByText('No events found')).toBeDefined();
    expect(screen.getByRole('dialog', { name: 'Delete event' })).toBe(dialog);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent('/api/admin/events/2', 'DELETE')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test("an error: 'Failed to fetch events' in a toast and in place, with Retry", async () => {
    let down = true;
    open({ '/api/admin/events/all': () => (down ? broken() : Response.json(events)) });
    expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to fetch events');
    await waitFor(() => expect(screen.getAllByText('Failed to fetch events').length).toBeGreaterThan(1), LATE);
    down = false;
    await press('Retry');
    expect(await row('US CPI')).toBeDefined();
  });
});

describe('event reminders', () => {
  const CPI = 'US CPI, October';
  const id = events.find(({ title }) => title === CPI)?.id ?? 0;
  const sent = (channel: string, eventId = id) => ({ eventId, channel, sentAt: '2026-11-21T14:03:12.000Z' });

  async function badge(): Promise<HTMLElement> {
    const item = (await screen.findByRole('heading', { level: 3, name: CPI }, LATE)).closest('li') as HTMLElement;
    return within(item).getByText('Notification Sent').closest('[title]') as HTMLElement;
  }

  test.each([
    ['by email', { on: true, sent: [sent('email')] }, 'was sent to you by email at 14:03 UTC.'],
    [
      'by two ways',
      { on: false, sent: [sent('email'), sent('telegram'), sent('push', id + 1)] },
      'was sent to you by email at 14:03 UTC and by Telegram at 14:03 UTC.',
    ],
    ['not to you', { on: true, sent: [sent('email', id + 1)] }, 'No three-day reminder was sent to you.'],
    ['reminders are off', { on: false, sent: [] }, 'Your event reminders are off.'],
  ])("'Notification Sent' shows what was sent to the user: %s", async (_, reminders, words) => {
    expect(listReminders.reply.parse(reminders)).toEqual(reminders);
    openSignedIn({
      at: '/app/events',
      calls: { '/api/events': answer(events), '/api/notifications/reminders': answer(reminders) },
    });
    await badge();
    await waitFor(async () => expect((await badge()).title).toContain(words));
    expect((await badge()).textContent).toContain(words);
  });

  test("'Notification Sent' shows the general text to visitors and until more is known", async () => {
    const { fetch } = openApp({ at: '/app/events', calls: { '/api/events': answer(events) } });
    expect((await badge()).title).toContain('was sent to everyone with event reminders on');
    expect(fetch.mock.calls.some(([url]) => url.startsWith('/api/notifications'))).toBe(false);
  });

  test("'Notification Sent' remains general when the reminders cannot be read", async () => {
    openSignedIn({
      at: '/app/events',
      calls: { '/api/events': answer(events), '/api/notifications/reminders': broken },
    });
    expect((await badge()).title).toContain('was sent to everyone');
  });
});

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { events } from '#features/events/web/fixtures.ts';
import { listReminders } from '#features/notifications/contract/notifications.ts';
import { answer, broken } from '#ui/testing/answers.ts';
import { LATE } from '../testing/acts.ts';
import { eachWithItsApp, openApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

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
])("'Notification Sent' says what was sent to the reader: %s", async (_, reminders, words) => {
  expect(listReminders.reply.parse(reminders)).toEqual(reminders);
  openSignedIn({
    at: '/app/events',
    calls: { '/api/events': answer(events), '/api/notifications/reminders': answer(reminders) },
  });
  await badge();
  await waitFor(async () => expect((await badge()).title).toContain(words));
  expect((await badge()).textContent).toContain(words);
});

test("'Notification Sent' says what holds for everyone to a visitor, and while nothing else is known", async () => {
  const { fetch } = openApp({ at: '/app/events', calls: { '/api/events': answer(events) } });
  expect((await badge()).title).toContain('has gone out to everyone who has event reminders switched on');
  expect(fetch.mock.calls.some(([url]) => url.startsWith('/api/notifications'))).toBe(false);
});

test("'Notification Sent' stays general when the reminders cannot be read", async () => {
  openSignedIn({
    at: '/app/events',
    calls: { '/api/events': answer(events), '/api/notifications/reminders': broken },
  });
  expect((await badge()).title).toContain('has gone out to everyone');
});

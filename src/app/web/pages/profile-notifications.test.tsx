import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { preferencesOf } from '#features/notifications/web/notifications/fixtures.ts';
import { byMethod, refuse, unreachable } from '#ui/testing/answers.ts';
import { address, LATE, texts } from '../testing/acts.ts';
import {
  box,
  flip,
  held,
  isOn,
  openNotifications,
  PREFERENCES,
  spyOnRequests,
  toggle,
} from '../testing/notifications.ts';

const SAVED = 'Notification preferences saved successfully!';
let told: ReturnType<typeof spyOnRequests>;
beforeEach(() => {
  told = spyOnRequests();
});
const posts = (app: ReturnType<typeof openNotifications>, count: number) =>
  waitFor(() => expect(app.saved()).toHaveLength(count));

test("refused: 'Authentication required. Please log in to access notification settings.'", async () => {
  const get = refuse(401, 'Please sign in', 'unauthenticated');
  openNotifications({ calls: { [PREFERENCES]: byMethod({ GET: get }) } });
  const told = await screen.findByText(
    'Authentication required. Please log in to access notification settings.',
    {},
    LATE,
  );
  expect(told).toBeDefined();
  expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/app?auth=login');
});

describe('saves every change immediately', () => {
  test('reports a batch of changes once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const app = openNotifications();
    await flip('Email notifications');
    await flip('Telegram notifications');
    await flip('Event notifications');
    await told.once(SAVED);
    expect(app.kept.preferences).toEqual(
      preferencesOf({ emailNotifications: false, telegramNotifications: true, eventNotifications: false }),
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(told.count(SAVED)).toBe(1);
  });

  test('changes made during a save are sent with the next one; the last state wins', async () => {
    const gate = held((url, init) => app.keep(url, init));
    const app = openNotifications({ save: (url, init) => gate.act(url, init) });
    await flip('Email notifications');
    await posts(app, 1);
    await flip('Telegram notifications');
    await flip('Email notifications');
    expect(screen.getByText('Saving…')).toBeDefined();
    expect(app.saved()).toHaveLength(1);
    expect([await isOn('Email notifications'), await isOn('Telegram notifications')]).toEqual([true, true]);
    gate.go();
    await posts(app, 2);
    expect(app.saved()[1]).toEqual(preferencesOf({ telegramNotifications: true }));
    gate.go();
    await told.once(SAVED);
    expect([await isOn('Email notifications'), await isOn('Telegram notifications')]).toEqual([true, true]);
    expect(told.count(SAVED)).toBe(1);
  });

  test.each([
    ['a refusal', refuse(400, 'Unknown time zone', 'bad_request'), 'Failed to save preferences: Unknown time zone'],
    ['an answer without words', () => new Response('', { status: 500 }), 'Failed to save preferences: Unknown error'],
    ['a server that is away', unreachable, 'Error saving preferences'],
  ])('%s: shows the stored state again, with a message', async (_what, save, sentence) => {
    const app = openNotifications({ save });
    await flip('Email notifications');
    await told.once(sentence);
    await waitFor(async () => expect(await isOn('Email notifications')).toBe(true));
    expect(app.saved()).toHaveLength(1);
    expect(told.count(SAVED)).toBe(0);
  });

  test('a rejected save does not affect later changes', async () => {
    let first = true;
    const gate = held((url, init) => {
      if (!first) return app.keep(url, init);
      first = false;
      return refuse(400, 'Not so', 'bad_request')();
    });
    const app = openNotifications({ save: (url, init) => gate.act(url, init) });
    await flip('Email notifications');
    await posts(app, 1);
    await flip('Telegram notifications');
    gate.go();
    await posts(app, 2);
    await told.once('Failed to save preferences: Not so');
    gate.go();
    await told.once(SAVED);
    expect(app.kept.preferences).toEqual(preferencesOf({ telegramNotifications: true }));
    expect([await isOn('Email notifications'), await isOn('Telegram notifications')]).toEqual([true, true]);
  });

  test('a save that did not arrive is resent with the next change', async () => {
    let away = true;
    const gate = held((url, init) => {
      if (!away) return app.keep(url, init);
      away = false;
      return Response.error();
    });
    const app = openNotifications({
      save: async (url, init) => {
        const reply = await gate.act(url, init);
        return reply.type === 'error' ? unreachable() : reply;
      },
    });
    await flip('Email notifications');
    await posts(app, 1);
    await flip('Telegram notifications');
    gate.go();
    await posts(app, 2);
    gate.go();
    await told.once(SAVED);
    expect(app.kept.preferences).toEqual(preferencesOf({ emailNotifications: false, telegramNotifications: true }));
    expect(told.count('Error saving preferences')).toBe(0);
  });

  test('a save whose response was lost shows the server’s state', async () => {
    const app = openNotifications({
      save: async (url, init) => {
        await app.keep(url, init);
        return unreachable();
      },
    });
    await toggle('Email notifications');
    const before = app.sent(PREFERENCES, 'GET').length;
    await flip('Email notifications');
    await told.once('Error saving preferences');
    await waitFor(() => expect(app.sent(PREFERENCES, 'GET')).toHaveLength(before + 1), { timeout: 1_000 });
    await waitFor(async () => expect(await isOn('Email notifications')).toBe(false));
  });

  test('leaving the tab loses nothing, and a save in flight is shown on return', async () => {
    const gate = held((url, init) => app.keep(url, init));
    const app = openNotifications({ save: (url, init) => gate.act(url, init) });
    await flip('Email notifications');
    await posts(app, 1);
    await flip('Telegram notifications');
    screen.getByRole('tab', { name: 'Security' }).click();
    await waitFor(() => expect(address()).toBe('/app/profile?tab=security'));
    screen.getByRole('tab', { name: 'Notifications' }).click();
    await waitFor(async () => expect(await isOn('Telegram notifications')).toBe(true));
    gate.go();
    await posts(app, 2);
    gate.go();
    await told.once(SAVED);
    expect(app.kept.preferences).toEqual(preferencesOf({ emailNotifications: false, telegramNotifications: true }));
  });

  test('closing the page is blocked with unsaved changes', async () => {
    const gate = held((url, init) => app.keep(url, init));
    const app = openNotifications({ save: (url, init) => gate.act(url, init) });
    const closing = () => {
      const event = new Event('beforeunload', { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    };
    await toggle('Email notifications');
    expect(closing()).toBe(false);
    await flip('Email notifications');
    expect(closing()).toBe(true);
    gate.go();
    await told.once(SAVED);
    expect(closing()).toBe(false);
  });

  test('the profile reflects a switch', async () => {
    const app = openNotifications();
    await toggle('Email notifications');
    const before = app.sent('/api/subscription', 'GET').length;
    (await box('Market by Email')).click();
    await posts(app, 1);
    expect(app.sent('/api/subscription', 'GET')).toHaveLength(before);
    await flip('Email notifications');
    await waitFor(() => expect(app.sent('/api/subscription', 'GET').length).toBeGreaterThan(before));
  });
});

test.each([
  ['free', ['Upgrade to Pro', 'Upgrade to Premium+']],
  ['pro', ['Upgrade to Premium+']],
  ['premium', []],
] as const)('by plan: %s sees the settings and the extras of a higher plan: %j', async (plan, offers) => {
  openNotifications({ plan });
  await toggle('Email notifications');
  const links = within(screen.getByRole('tabpanel')).queryAllByRole('link', { name: /^Upgrade to/ });
  expect(texts(links)).toEqual(offers);
  expect(links.every((link) => link.getAttribute('href') === '/app/subscription')).toBe(true);
  expect(screen.queryByText(/^Your settings are saved and take effect with Pro and up/) !== null).toBe(plan === 'free');
  expect(screen.queryAllByRole('columnheader', { name: 'Webhook' })).toHaveLength(plan === 'premium' ? 1 : 0);
});

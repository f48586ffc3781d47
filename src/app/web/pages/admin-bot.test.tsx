import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import {
  ANN,
  ago,
  bot,
  COMMANDS,
  FULL,
  INFO,
  lastHour,
  NOON,
  PATH,
  WEBHOOK,
} from '#features/notifications/web/telegram/bot-fixtures.ts';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { press, region } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  return () => vi.useRealTimers();
});

const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=telegram', plan: 'admin', calls: { ...FULL, ...calls } });
test("each card fails independently with 'Failed to load admin data' and Retry, below the connection panel", async () => {
  const down = {
    [PATH]: broken,
    [`${PATH}/broadcasts`]: broken,
    [`${PATH}/chats`]: broken,
    [`${PATH}/commands`]: broken,
  };
  open(down);
  for (const name of ['Bot', 'Past Announcements', 'Connected Users', 'Recent Commands']) {
    const card = await region(name, 'Failed to load admin data');
    expect(card.getByRole('button', { name: 'Retry' })).toBeDefined();
  }
  expect((await region('Telegram', 'Connected')).getByRole('button', { name: 'Disconnect' })).toBeDefined();
});

describe('the bot', () => {
  test('polling: name with link, responsible process, last poll, last update, the last hour', async () => {
    open();
    const card = await region('Bot', 'Polling');
    expect(card.getByRole('link', { name: '@MeridianBot' }).getAttribute('href')).toBe('https://t.me/MeridianBot');
    for (const text of ['alpha, process 42', 'since 20 Nov 2026, 10:00:00 UTC', 'Just now', '5m ago', '1,234'])
      expect(card.getByText(text)).toBeDefined();
    expect(card.getByText('/start 2, /verify 3')).toBeDefined();
  });

  test.each([
    ['Not set up', { mode: 'off', missing: { setting: 'TELEGRAM_BOT_TOKEN', why: 'Not set.' } }, 'TELEGRAM_BOT_TOKEN'],
    [
      'Failing',
      { error: { words: 'Telegram responded with 401: Unauthorized', at: ago(5) } },
      'Telegram responded with 401: Unauthorized',
    ],
    ['No worker', { worker: { name: 'alpha, process 42', since: ago(7200), isHeld: false } }, 'alpha, process 42'],
    ['Not polling', { readAt: ago(600) }, '10m ago'],
    ['Polling', { error: { words: 'Telegram could not be reached', at: ago(5000) } }, 'Telegram could not be reached'],
  ] as const)('%s', async (words, change, text) => {
    open({ [PATH]: bot(change) });
    expect((await region('Bot', words)).getByText(text)).toBeDefined();
  });

  test('webhook: address, pending updates, last error from Telegram; registers again', async () => {
    const lastError = { words: 'Connection refused', at: ago(30) };
    const { sent } = open({
      [PATH]: answer({ bot: WEBHOOK, lastHour }),
      [`${PATH}/webhook`]: byMethod({
        GET: answer({ ...INFO, pending: 57, lastError }),
        POST: answer({ registeredAt: ago(0) }),
      }),
    });
    const card = await region('Bot', 'Connection refused');
    expect(card.getByText('https://m.example/api/telegram/webhook')).toBeDefined();
    expect(card.getByText('Registered 20 Nov 2026, 11:00:00 UTC')).toBeDefined();
    expect(card.getByText('57')).toBeDefined();
    await press('Register again');
    await waitFor(() => expect(sent(`${PATH}/webhook`, 'POST')).toHaveLength(1));
    expect(await screen.findByText('The webhook is registered')).toBeDefined();
  });

  test.each([
    [null, 'No webhook is registered with Telegram, so messages do not arrive. Register it again.'],
    ['https://other.example', 'Telegram calls a different URL: https://other.example. Register again.'],
  ])('webhook at %s is flagged prominently', async (address, sentence) => {
    open({
      [PATH]: answer({ bot: WEBHOOK, lastHour }),
      [`${PATH}/webhook`]: answer({ ...INFO, address, isOurs: false }),
    });
    expect((await region('Bot', sentence)).getByRole('alert')).toBeDefined();
  });

  test('an unreachable Telegram is reported, and registration is disabled', async () => {
    const away = refuse(503, 'Telegram could not be reached', 'unavailable');
    open({ [PATH]: answer({ bot: WEBHOOK, lastHour }), [`${PATH}/webhook`]: away });
    const card = await region('Bot', 'Telegram reports no webhook status');
    await press('Register again');
    await waitFor(() => expect(card.getAllByText('Telegram could not be reached').length).toBe(2));
  });
});

describe('users, commands', () => {
  test('connected users: searched, more on demand, empty, no match', async () => {
    const next = '2026-11-19T12:00:00.000Z,7';
    const { sent } = open({
      [`${PATH}/chats`]: (url) =>
        Response.json(
          url.includes('q=nobody')
            ? { chats: [], total: 0, next: null }
            : { chats: [ANN], total: 60, next: url.includes('before') ? null : next },
        ),
    });
    const card = await region('Connected Users', 'ann@example.com');
    for (const text of ['…0123', '19 Nov 2026', '2m ago', 'Connected', 'No announcements', '60'])
      expect(card.getByText(text)).toBeDefined();
    await userEvent.click(card.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(card.getAllByText('ann@example.com')).toHaveLength(2));
    expect(sent(`${PATH}/chats`, 'GET')).toContain(`${PATH}/chats?before=${encodeURIComponent(next)}`);
    await userEvent.type(card.getByRole('searchbox', { name: 'Search by email' }), 'nobody');
    expect(await card.findByText('No users found')).toBeDefined();
  });

  test('a chat that stopped the bot, switched off, without messages; no commands yet', async () => {
    const chats = [{ ...ANN, blockedAt: ago(60), isOn: false, lastSentAt: null }];
    open({
      [`${PATH}/chats`]: answer({ chats, total: 1, next: null }),
      [`${PATH}/commands`]: answer({ commands: [] }),
    });
    const card = await region('Connected Users', 'Stopped');
    for (const text of ['Turned off', 'None in 30 days']) expect(card.getByText(text)).toBeDefined();
    await region('Recent Commands', 'No commands yet');
  });

  test('recent commands with their outcome, the rest on demand', async () => {
    const many = Array.from({ length: 15 }, (_, i) => ({ ...COMMANDS[0], id: i }));
    open({
      [`${PATH}/commands`]: answer({ commands: many }),
      [`${PATH}/chats`]: answer({ chats: [], total: 0, next: null }),
    });
    const card = await region('Recent Commands', 'Invalid or expired code');
    expect(card.getAllByText('/verify')).toHaveLength(12);
    await userEvent.click(card.getByRole('button', { name: 'Show 3 more' }));
    expect(card.getAllByText('/verify')).toHaveLength(15);
    await region('Connected Users', 'No chats connected');
  });
});

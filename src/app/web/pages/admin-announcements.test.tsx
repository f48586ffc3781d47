import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { type Broadcast } from '#features/notifications/contract/telegram.ts';
import {
  AUDIENCE,
  ago,
  FULL,
  history,
  NOON,
  PATH,
  RUNNING,
  SENT,
  STATUS,
} from '#features/notifications/web/telegram/bot-fixtures.ts';
import { type Answer, afterProof, answer, broken, byMethod } from '#ui/testing/answers.ts';
import { fill, LATE, press, quickenIntervals, region } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  return () => vi.useRealTimers();
});

const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=telegram', plan: 'admin', calls: { ...FULL, ...calls } });
const write = async (text: string) => {
  const card = await region('Announcement', 'All connected chats');
  await userEvent.clear(card.getByLabelText('Message'));
  await userEvent.click(card.getByLabelText('Message'));
  await userEvent.paste(text);
  return card;
};

describe('an announcement', () => {
  test('is previewed as in the chat, with HTML shown as text', async () => {
    open();
    const card = await write('*Bold* _slanted_ <b>raw</b> [here](https://m.example)');
    const preview = within(card.getByRole('region', { name: 'Preview' }));
    expect(preview.getByText('Bold').tagName).toBe('STRONG');
    expect(preview.getByText('slanted').tagName).toBe('EM');
    expect(preview.getByRole('link', { name: 'here' }).getAttribute('href')).toBe('https://m.example');
    expect(preview.getByText(/<b>raw<\/b>/)).toBeDefined();
    expect(preview.getByText(/Send \/stop to opt out/)).toBeDefined();
    expect(card.getByText('53 of 4,000')).toBeDefined();
    expect(card.getByText('Excluded: 3 blocked the bot, 1 opted out with /stop.')).toBeDefined();
  });

  test('cannot be tested without a chat of your own', async () => {
    open({ '/api/telegram/status': answer({ status: { ...STATUS, verified: false, chatId: null } }) });
    const card = await write('Hello');
    expect(card.getByRole<HTMLButtonElement>('button', { name: 'Send test to me' }).disabled).toBe(true);
    expect(card.getByText('Connect your own chat above to send yourself a test.')).toBeDefined();
  });

  test('is sent after confirming the recipient count and re-authenticating; a retry has the same key', async () => {
    let tries = 0;
    const { act, prove } = afterProof(() => {
      tries += 1;
      return tries === 1 ? broken() : Response.json({ ...RUNNING, people: 9 });
    });
    const { sent } = open({
      [`${PATH}/broadcasts`]: byMethod({ GET: history(SENT), POST: act }),
      '/api/auth/reauthenticate': prove,
    });
    const card = await write('  Hello  ');
    await userEvent.click(card.getByRole('radio', { name: /Pro only/ }));
    await userEvent.click(card.getByRole('button', { name: 'Send to 9 people' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send to 9 people?' }, LATE));
    expect(dialog.getByText(/after pending alerts/)).toBeDefined();
    await userEvent.click(dialog.getByRole('button', { name: 'Send to 9 people' }));
    await fill('Password', 'correct horse');
    await press('Confirm');
    expect((await dialog.findByRole('alert')).textContent).toContain('Something went wrong on our side');
    await userEvent.click(dialog.getByRole('button', { name: 'Send to 9 people' }));
    expect(await screen.findByText('Sending to 9 people')).toBeDefined();
    const bodies = sent(`${PATH}/broadcasts`, 'POST') as { key: string; text: string; audience: string }[];
    expect(new Set(bodies.map((each) => each.key)).size).toBe(1);
    expect(bodies.at(-1)).toMatchObject({ text: 'Hello', audience: 'pro' });
    expect(bodies.at(-1)?.key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test.each([
    ['Write a message first.', '', {}],
    [
      'No recipients.',
      'Hello',
      { [`${PATH}/audience`]: answer({ ...AUDIENCE, people: { all: 0, free: 0, pro: 0, premium: 0 } }) },
    ],
    ['Another announcement is in progress.', 'Hello', { [`${PATH}/broadcasts`]: history(RUNNING) }],
    ['No bot is configured.', 'Hello', { '/api/telegram/status': answer({ status: { ...STATUS, hasBot: false } }) }],
  ])('cannot be sent: %s', async (words, text, calls) => {
    open(calls);
    const card = await write(text || ' ');
    expect(await card.findByText(words)).toBeDefined();
    expect(card.getByRole<HTMLButtonElement>('button', { name: /^Send to/ }).disabled).toBe(true);
  });
});

describe('past announcements', () => {
  test('shows an empty list and reports an audience that cannot be counted', async () => {
    open({ [`${PATH}/broadcasts`]: history(), [`${PATH}/audience`]: broken });
    await region('Past Announcements', 'No announcements yet');
    await region('Announcement', 'Failed to count recipients');
  });

  test('shows text, audience, sender and outcome', async () => {
    open({ [`${PATH}/broadcasts`]: history({ ...SENT, createdBy: null }) });
    const card = await region('Past Announcements', 'Sent');
    expect(card.getByText('Hello <b>all</b>', { selector: 'summary' })).toBeDefined();
    expect(card.getByText(/All connected chats, 12 people · by a deleted account/)).toBeDefined();
    for (const count of ['10', '1']) expect(card.getAllByText(count).length).toBeGreaterThan(0);
    expect(card.queryByRole('button', { name: 'Cancel' })).toBeNull();
  });

  test('a running one shows live progress and can be canceled', async () => {
    quickenIntervals();
    let now: Broadcast = RUNNING;
    const { sent } = open({
      [`${PATH}/broadcasts`]: () => Response.json({ broadcasts: [now], more: false }),
      [`${PATH}/broadcasts/4/cancel`]: () => {
        now = { ...RUNNING, state: 'cancelled', cancelled: 9, waiting: 0, held: 0, finishedAt: ago(0) };
        return Response.json(now);
      },
    });
    const card = await region('Past Announcements', 'Sending');
    expect(card.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(card.getByText('2 people will receive it when their quiet hours end.')).toBeDefined();
    now = { ...RUNNING, sent: 6, waiting: 6 };
    await waitFor(() => expect(card.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50'), LATE);
    await userEvent.click(card.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel the rest' }));
    expect(await card.findByText('Canceled', { selector: 'span' })).toBeDefined();
    expect(sent(`${PATH}/broadcasts/4/cancel`, 'POST')).toHaveLength(1);
  });
});

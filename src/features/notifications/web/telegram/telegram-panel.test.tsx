// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LATE, press, quickenIntervals } from '#app/web/testing/acts.ts';
import { closeCard, showCard } from '#app/web/testing/show-card.tsx';
import type { TelegramStatus } from '#features/notifications/contract/telegram.ts';
import { type Answer, answer, broken, refuse, unreachable } from '#ui/testing/answers.ts';
import { NOON } from '#ui/testing/figures.ts';
import { attachToasts, type Toast } from '#ui/toast.ts';
import { STATUS as CONNECTED } from './bot-fixtures.ts';
import { TelegramPanel } from './telegram-panel.tsx';

const inSeconds = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

const NONE: TelegramStatus = { ...CONNECTED, verified: false, chatId: null };
const MADE = { code: 'ABCD2345', expiresAt: inSeconds(600), deepLink: 'https://t.me/MeridianBot?start=ABCD2345' };
const WAITING: TelegramStatus = { ...NONE, ...MADE, hasValidCode: true };

const status = (value: Partial<TelegramStatus>) => answer({ status: { ...NONE, ...value } });
const toasts: Toast[] = [];
const told = () => toasts.map(({ kind, message }) => `${kind}: ${message}`);
let detach = () => {};

function show(calls: Record<string, Answer>) {
  const { fetch } = showCard(<TelegramPanel />, calls);
  return { asked: (path: string) => fetch.mock.calls.filter(([url]) => url === path).length, fetch };
}

beforeEach(() => {
  quickenIntervals();
  localStorage.setItem('authToken', 'ann-token');
  detach = attachToasts((toast) => toasts.push(toast));
});
afterEach(() => {
  detach();
  toasts.length = 0;
  closeCard();
  localStorage.clear();
  vi.restoreAllMocks();
});

describe('loading', () => {
  test.each([
    ['Failed to load Telegram status', broken],
    ['Error loading Telegram status', unreachable],
  ])("a skeleton, then '%s' with Retry", async (words, failing) => {
    let down = true;
    show({ '/api/telegram/status': () => (down ? failing() : status({})()) });
    expect(screen.getByText('Loading Telegram')).toBeDefined();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(words);
    down = false;
    await press('Retry');
    expect(await screen.findByText('Not connected')).toBeDefined();
  });

  test.each([
    ['without a token', () => localStorage.clear(), status({})],
    ['with one that is refused', () => {}, refuse(401, 'Authentication required', 'unauthenticated')],
  ])("%s: 'Authentication required. Please log in.'", async (_, prepare, reply) => {
    prepare();
    show({ '/api/telegram/status': reply });
    expect(await screen.findByText('Authentication required. Please log in.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/app?auth=login');
  });

  test('reports an installation without a bot', async () => {
    show({ '/api/telegram/status': status({ hasBot: false, botUsername: null }) });
    expect(await screen.findByText(/This server has no Telegram bot/)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('below Pro it links to the plans', async () => {
    show({ '/api/telegram/status': status({ canConnect: false }) });
    const link = await screen.findByRole('link', { name: 'Upgrade to Pro' });
    expect(link.getAttribute('href')).toBe('/app/subscription');
    expect(screen.getByText(/With Pro, alerts are also sent to your Telegram chat/)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a code', () => {
  test('is generated, shown with its countdown, a link and a button to copy it', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    let made = false;
    show({
      '/api/telegram/status': () => Response.json({ status: made ? WAITING : NONE }),
      '/api/telegram/generate-code': () => {
        made = true;
        return Response.json(MADE);
      },
    });
    await press('Generate Verification Code');
    expect(await screen.findByText('ABCD2345')).toBeDefined();
    expect(screen.getByRole('timer').textContent).toBe('10:00');
    expect(told()).toEqual(['success: Verification code generated! It expires in 10 minutes.']);
    const link = screen.getByRole('link', { name: 'Open Telegram' });
    expect(link.getAttribute('href')).toBe('https://t.me/MeridianBot?start=ABCD2345');
    expect(screen.getByText('/verify ABCD2345')).toBeDefined();
    expect(screen.getByText('@MeridianBot')).toBeDefined();
    await press('Copy');
    await waitFor(() => expect(written).toHaveBeenCalledWith('ABCD2345'));
    expect(told().at(-1)).toBe('success: Code copied to clipboard!');
  });

  test("counts down in minutes and seconds to 'Expired', then another one can be generated", async () => {
    const { asked } = show({
      '/api/telegram/status': status({ ...WAITING, expiresAt: inSeconds(65) }),
      '/api/telegram/generate-code': answer({ ...MADE, code: 'WXYZ6789', expiresAt: inSeconds(700) }),
    });
    expect((await screen.findByRole('timer')).textContent).toBe('1:05');
    vi.setSystemTime(NOON + 60_000);
    await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('0:05'), LATE);
    vi.setSystemTime(NOON + 65_000);
    await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('Expired'), LATE);
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
    await press('Generate New Code');
    expect(await screen.findByText('WXYZ6789')).toBeDefined();
    expect(asked('/api/telegram/generate-code')).toBe(1);
  });

  test('unknown to the server is expired too', async () => {
    let value = WAITING;
    show({ '/api/telegram/status': () => Response.json({ status: value }) });
    await screen.findByText('ABCD2345');
    value = NONE;
    await waitFor(() => expect(screen.getByRole('timer').textContent).toBe('Expired'), LATE);
  });

  test.each([
    [
      'Failed to generate code: Too many codes. Please try again later.',
      refuse(429, 'Too many codes. Please try again later.', 'rate_limited'),
    ],
    ['Error generating verification code', unreachable],
  ])("fails: '%s'", async (words, failing) => {
    show({ '/api/telegram/status': status({}), '/api/telegram/generate-code': failing });
    await press('Generate Verification Code');
    await waitFor(() => expect(told()).toEqual([`error: ${words}`]));
  });

  test('during the countdown the status is polled every three seconds, and the panel connects automatically', async () => {
    let value = WAITING;
    const { asked } = show({ '/api/telegram/status': () => Response.json({ status: value }) });
    await screen.findByText('ABCD2345');
    await waitFor(() => expect(asked('/api/telegram/status')).toBeGreaterThanOrEqual(2), LATE);
    value = CONNECTED;
    expect(await screen.findByText('5550123', {}, LATE)).toBeDefined();
    expect(screen.queryByText('ABCD2345')).toBeNull();
    expect(told()).toEqual(['success: Telegram account connected successfully!']);
  });

  test('in demo mode it is sent in the simulated Telegram', async () => {
    let value: TelegramStatus = { ...WAITING, deepLink: null, simulated: true };
    const { fetch } = show({
      '/api/telegram/status': () => Response.json({ status: value }),
      '/api/demo/telegram': () => {
        value = CONNECTED;
        return Response.json({ bot: 'MeridianBot', blocked: false, messages: [] });
      },
    });
    await press('Send it in the simulated Telegram');
    expect(await screen.findByText('5550123', {}, LATE)).toBeDefined();
    const sent = fetch.mock.calls.find(([url]) => url === '/api/demo/telegram');
    expect(sent?.[1]?.body).toBe('{"text":"/verify ABCD2345"}');
    expect(screen.queryByRole('link', { name: 'Open Telegram' })).toBeNull();
  });
});

describe('connected', () => {
  test('shows the chat; disconnecting asks for confirmation and removes it', async () => {
    let value = CONNECTED;
    const { asked } = show({
      '/api/telegram/status': () => Response.json({ status: value }),
      '/api/telegram/disconnect': () => {
        value = NONE;
        return Response.json({ success: true });
      },
    });
    expect(await screen.findByText('5550123')).toBeDefined();
    expect(screen.getByText('Connected')).toBeDefined();
    await press('Disconnect');
    const dialog = await screen.findByRole('dialog', { name: 'Disconnect Telegram?' }, LATE);
    expect(asked('/api/telegram/disconnect')).toBe(0);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
    expect(await screen.findByText('Not connected')).toBeDefined();
    expect(told()).toEqual(['success: Telegram account disconnected successfully!']);
  });

  test.each([
    ['Failed to disconnect: Something went wrong on our side', broken],
    ['Error disconnecting Telegram', unreachable],
  ])("disconnecting fails: '%s'", async (words, failing) => {
    show({ '/api/telegram/status': status(CONNECTED), '/api/telegram/disconnect': failing });
    await press('Disconnect');
    const dialog = await screen.findByRole('dialog', {}, LATE);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
    expect(await within(dialog).findByText(words)).toBeDefined();
  });

  test('on a plan below Pro it shows that messages are paused, and can be disconnected', async () => {
    show({ '/api/telegram/status': status({ ...CONNECTED, canConnect: false }) });
    expect(await screen.findByText(/They are paused because Telegram notifications require Pro/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Disconnect' })).toBeDefined();
  });

  test('a chat that stopped the bot is not connected and shows what to do', async () => {
    show({ '/api/telegram/status': status({ blocked: true }) });
    expect(await screen.findByText(/You blocked the bot in Telegram/)).toBeDefined();
    expect(screen.getByText('Stopped')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Generate Verification Code' })).toBeDefined();
  });
});

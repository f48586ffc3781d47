import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { address, LATE, press } from '../testing/acts.ts';
import { openNotifications, spyOnRequests } from '../testing/notifications.ts';
import { openApp, payload } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const AT = '2026-11-20T11:58:00.000Z';
const MAIL = { id: 7, subject: 'Your weekly digest', kind: 'digest', at: AT };
const BROWSER = { id: 1, endpoint: 'http://127.0.0.1:1/push/a', device: 'Simulated browser', createdAt: AT };
const NOTICE = {
  title: 'BTC above 100,000 USD',
  body: 'Bitcoin has reached 100,120 USD.',
  tag: 'rule-17',
  url: '/app/track-record',
  severity: 'medium',
  icon: '/icon-192.png',
  at: AT,
};
const SAID = { id: 2, from: 'bot', text: 'Send /verify and your code.', at: AT };
const CHAT = { bot: 'MeridianDemoBot', blocked: false, messages: [SAID] };
const STATUS = {
  verified: false,
  chatId: null,
  hasValidCode: true,
  code: 'ABCD2345',
  expiresAt: '2026-11-20T12:10:00.000Z',
  deepLink: null,
  blocked: false,
  hasBot: true,
  botUsername: 'MeridianDemoBot',
  simulated: true,
  canConnect: true,
};

const DEMO = { '/api/dashboard': answer(payload({ dataMode: 'demo' })) };
const FULL: Record<string, Answer> = {
  ...DEMO,
  '/api/demo/mails': answer({ address: 'ann@example.com', mails: [MAIL] }),
  '/api/demo/mails/7': answer({
    ...MAIL,
    html: '<p>Hello <a href="https://m.example/go">go</a></p><script>x</script>',
  }),
  '/api/push/browsers': answer({ browsers: [BROWSER], simulated: true }),
  '/api/push/simulated': answer({ messages: [NOTICE] }),
  '/api/demo/telegram': answer(CHAT),
  '/api/telegram/status': answer({ status: STATUS }),
};

let isWide = true;
beforeEach(() => {
  isWide = true;
  const list = () => ({ matches: isWide, addEventListener() {}, removeEventListener() {} });
  vi.stubGlobal('matchMedia', list);
});
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/phone', plan: 'pro', calls: { ...FULL, ...calls } });
const pane = (name: string) => screen.findByRole('region', { name }, LATE);

describe('access', () => {
  test('redirects signed-out visitors to the sign-in page', async () => {
    openApp({ at: '/app/phone', calls: DEMO });
    await waitFor(() => expect(address()).toBe('/app/auth-required?feature=Your%20phone&type=auth'), LATE);
  });

  test('does not exist in live mode', async () => {
    open({ '/api/dashboard': answer(payload({ dataMode: 'live' })) });
    expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' }, LATE)).toBeDefined();
  });

  test.each([
    ['demo', 1],
    ['live', 0],
  ] as const)('the Notifications tab in %s mode links to it %i times', async (dataMode, links) => {
    openNotifications({ calls: { '/api/dashboard': answer(payload({ dataMode })) } });
    await screen.findByText('Changes are saved automatically.', {}, LATE);
    const found = () => screen.queryAllByRole('link', { name: 'open the simulated phone' });
    await waitFor(() =>
      expect(found().map((link) => link.getAttribute('href'))).toEqual(Array(links).fill('/app/phone')),
    );
  });
});

describe('panes have independent states', () => {
  test('loading', async () => {
    const never = () => new Promise<Response>(() => {});
    open({ '/api/demo/mails': never, '/api/push/browsers': never, '/api/demo/telegram': never });
    for (const name of ['Mail', 'Notifications', 'Telegram'])
      expect(await screen.findByText(`Loading ${name}`, {}, LATE)).toBeDefined();
  });

  test.each([
    ['Mail', '/api/demo/mails', 'Failed to load your emails'],
    ['Notifications', '/api/push/browsers', 'Failed to load your browsers'],
    ['Notifications', '/api/push/simulated', 'Failed to load notifications'],
    ['Telegram', '/api/demo/telegram', 'Failed to load the chat'],
  ])('%s: %s fails, with Retry, the others remain', async (name, path, sentence) => {
    let isDown = true;
    open({ [path]: (url, init) => (isDown ? broken() : (FULL[path] ?? broken)(url, init)) });
    await screen.findByRole('alert', {}, LATE);
    expect(within(await pane(name)).getByRole('alert').textContent).toContain(sentence);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    isDown = false;
    await press('Retry');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('empty', async () => {
    open({
      '/api/demo/mails': answer({ address: 'ann@example.com', mails: [] }),
      '/api/push/simulated': answer({ messages: [] }),
      '/api/demo/telegram': answer({ ...CHAT, messages: [] }),
    });
    for (const words of ['No emails yet', 'No notifications', 'No messages yet'])
      expect(await screen.findByText(words, {}, LATE)).toBeDefined();
  });
});

describe('notifications', () => {
  test('a notification links to its subject; an email opens in a script-free frame, and closes again', async () => {
    open();
    const link = await screen.findByRole('link', { name: /BTC above 100,000 USD/ }, LATE);
    expect(link.textContent).toContain('Bitcoin has reached 100,120 USD.');
    expect(link.getAttribute('href')).toBe('/app/track-record');
    await userEvent.click(await screen.findByRole('button', { name: /Your weekly digest/ }, LATE));
    const frame = await screen.findByTitle<HTMLIFrameElement>('Email: Your weekly digest');
    expect(frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
    expect(frame.getAttribute('srcdoc')).toContain('target="_blank"');
    expect(frame.getAttribute('srcdoc')).not.toContain('script');
    await press('All emails');
    expect(await screen.findByRole('button', { name: /Your weekly digest/ })).toBeDefined();
  });

  test('without a browser, subscribes one and then sends a test', async () => {
    let browsers: object[] = [];
    const subscribe = () => {
      browsers = [BROWSER];
      return Response.json({ success: true });
    };
    const { sent } = open({
      '/api/push/browsers': () => Response.json({ browsers, simulated: true }),
      '/api/push/simulated': byMethod({ GET: answer({ messages: [] }), POST: subscribe }),
      '/api/push/test': answer({ success: true, browsers: 1 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Subscribe a simulated browser' }, LATE));
    await press('Send a test notification');
    await waitFor(() =>
      expect(sent('/api/push/test', 'POST')).toEqual([
        { title: 'Test Notification', body: 'Push notifications work in this browser.', icon: '/favicon.ico' },
      ]),
    );
  });

  test.each([
    ['off', 1],
    ['on', 0],
  ] as const)('push is %s in the settings: missing alerts are explained %i times', async (choice, times) => {
    const notifications = { email: true, push: choice === 'on', telegram: false };
    openSignedIn({ at: '/app/phone', plan: 'pro', account: { notifications }, calls: FULL });
    await screen.findByText(NOTICE.title, {}, LATE);
    const told = within(await pane('Notifications')).queryAllByText(/so no alerts are sent here/);
    expect(told).toHaveLength(times);
    const links = told.map((each) => within(each).getByRole('link').getAttribute('href'));
    expect(links).toEqual(told.map(() => '/app/profile?tab=notifications'));
  });

  test('a refused test explains why', async () => {
    const told = spyOnRequests();
    open({ '/api/push/test': refuse(429, 'Too many tests. Please wait.', 'rate_limited') });
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test notification' }, LATE));
    await told.once('Too many tests. Please wait.');
  });

  test('an installation without its own push service says so', async () => {
    open({ '/api/push/browsers': answer({ browsers: [], simulated: false }) });
    expect(await screen.findByText('No simulated browser', {}, LATE)).toBeDefined();
  });
});

describe('chat', () => {
  test('sends commands, the pending code and any text to the bot', async () => {
    const { sent } = open();
    for (const name of ['Send your code ABCD2345', '/start', '/status', '/help'])
      await userEvent.click(await screen.findByRole('button', { name }, LATE));
    await userEvent.type(screen.getByLabelText('Message to the bot'), '  hello {Enter}');
    const texts = ['/verify ABCD2345', '/start', '/status', '/help', 'hello'].map((text) => ({ text }));
    await waitFor(() => expect(sent('/api/demo/telegram', 'POST')).toEqual(texts));
    expect(screen.getByLabelText<HTMLInputElement>('Message to the bot').value).toBe('');
  });

  test('the bot is blocked and unblocked; nothing can be sent meanwhile', async () => {
    let blocked = false;
    const { sent } = open({
      '/api/demo/telegram': (_url, init) => {
        if (init?.body) blocked = (JSON.parse(init.body as string) as { blocked: boolean }).blocked;
        return Response.json({ ...CHAT, blocked });
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Block the bot' }, LATE));
    expect(await screen.findByText(/^You have blocked the bot/)).toBeDefined();
    expect(screen.queryByLabelText('Message to the bot')).toBeNull();
    await press('Unblock the bot');
    expect(await screen.findByLabelText('Message to the bot')).toBeDefined();
    expect(sent('/api/demo/telegram', 'POST')).toEqual([{ blocked: true }, { blocked: false }]);
  });

  test('shows the connection', async () => {
    open({
      '/api/telegram/status': answer({ status: { ...STATUS, verified: true, code: null, hasValidCode: false } }),
    });
    expect(await screen.findByText('Connected', {}, LATE)).toBeDefined();
    expect(within(await pane('Telegram')).queryByRole('link', { name: 'your notification settings' })).toBeNull();
  });

  test('without a code, explains where to get one', async () => {
    open({ '/api/telegram/status': answer({ status: { ...STATUS, code: null, hasValidCode: false } }) });
    await screen.findByText(/generate a code in/, {}, LATE);
    const link = within(await pane('Telegram')).getByRole('link', { name: 'your notification settings' });
    expect(link.getAttribute('href')).toBe('/app/profile?tab=notifications');
  });
});

test('on a phone the panes are tabs, and the URL stores the open one', async () => {
  isWide = false;
  open();
  await pane('Mail');
  expect(screen.queryByRole('region', { name: 'Telegram' })).toBeNull();
  await userEvent.click(screen.getByRole('tab', { name: 'Telegram' }));
  await pane('Telegram');
  expect(address()).toBe('/app/phone?tab=chat');
});

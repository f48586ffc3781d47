// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fill, LATE, press } from '#app/web/testing/acts.ts';
import { closeCard, showCard } from '#app/web/testing/show-card.tsx';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import type { Webhook } from '#features/notifications/contract/webhooks.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, broken, byMethod, refuse } from '#ui/testing/answers.ts';
import { attachToasts } from '#ui/toast.ts';
import { attemptOf, hookOf } from './fixtures.ts';
import { VERIFY_SAMPLE } from './sample.ts';
import { WebhooksPart } from './webhooks-part.tsx';

const toasts: string[] = [];
let detach = () => {};
beforeEach(() => {
  toasts.length = 0;
  detach = attachToasts(({ message }) => toasts.push(message));
  localStorage.setItem('authToken', 'ann-token');
});
afterEach(() => {
  detach();
  closeCard();
  localStorage.clear();
});

type Options = { plan?: Plan; calls?: Record<string, Answer> };

/** The part alone with a fake network. `sent` returns the requests to a path. */
function open(webhooks: readonly Webhook[] | Answer, { plan = 'premium', calls = {} }: Options = {}) {
  const list = typeof webhooks === 'function' ? webhooks : byMethod({ GET: answer({ webhooks }) });
  const { fetch } = showCard(<WebhooksPart price="$99/month" />, {
    '/api/subscription': answer(subscriptionOf(plan)),
    '/api/webhooks': list,
    ...calls,
  });
  const sent = (path: string, method: string) =>
    fetch.mock.calls
      .filter(([url, init]) => url === path && init?.method === method)
      .map(([, init]): unknown => (init?.body ? JSON.parse(init.body as string) : null));
  return { fetch, sent };
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }, LATE));
const choose = async (format: string) => userEvent.selectOptions(await screen.findByLabelText('Format'), format);

describe('the list', () => {
  test('loading, then an error with Retry', async () => {
    let down = true;
    open(() => (down ? broken() : Response.json({ webhooks: [hookOf()] })));
    expect(screen.getByText('Loading Webhooks')).toBeDefined();
    expect(await screen.findByText('Failed to load your webhooks')).toBeDefined();
    down = false;
    await press('Retry');
    expect(await screen.findByText('Trading desk')).toBeDefined();
  });

  test('empty, for administrators too', async () => {
    open([], { plan: 'admin' });
    expect(await screen.findByText('No webhooks yet')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Add webhook' })).toBeDefined();
  });

  test.each<[string, Partial<Webhook>, string, string]>([
    ['On', {}, 'Signed JSON · hooks.example.com · Answered 204, 1h ago', ''],
    [
      'On',
      { format: 'discord', host: 'discord.com', lastAt: null, lastNote: null },
      'Discord · discord.com · nothing sent yet',
      '',
    ],
    ['Off', { enabled: false }, 'Signed JSON · hooks.example.com · Answered 204, 1h ago', ''],
    [
      'Failing',
      { failures: 7, lastNote: 'Answered 500' },
      'Signed JSON · hooks.example.com · Answered 500, 1h ago',
      '7 consecutive calls failed',
    ],
    [
      'Disabled',
      { enabled: false, disabledAt: '2026-11-20T12:00:00.000Z', disabledReason: 'The address answered 410' },
      'Signed JSON · hooks.example.com · Answered 204, 1h ago',
      'Disabled on 20 Nov 2026: The address answered 410',
    ],
  ])('%s', async (state, change, line, trouble) => {
    open([hookOf(change)]);
    const row = within((await screen.findByText('Trading desk')).closest('li') as HTMLElement);
    expect(row.getByText(state)).toBeDefined();
    expect(row.getByText((_, element) => element?.tagName === 'P' && element.textContent === line)).toBeDefined();
    if (trouble) expect(row.getByText(trouble)).toBeDefined();
  });

  test('ten is the limit', async () => {
    open(Array.from({ length: 10 }, (_, id) => hookOf({ id, name: `Desk ${id}` })));
    expect(await screen.findByText(/^10 webhooks is the maximum/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull();
  });

  test.each(['free', 'pro'] as const)('plan %s: an inline offer, and no request', async (plan) => {
    const { fetch } = open([], { plan });
    const upgrade = await screen.findByRole('link', { name: 'Upgrade to Premium+' });
    expect(upgrade.getAttribute('href')).toBe('/app/subscription');
    expect(screen.getByText(/Your existing webhooks are kept/)).toBeDefined();
    expect(fetch.mock.calls.map(([url]) => url)).toEqual(['/api/subscription']);
  });

  test('the plan cannot be loaded', async () => {
    open([], { calls: { '/api/subscription': broken } });
    expect(await screen.findByText('Failed to load your plan')).toBeDefined();
  });
});

describe('adding one', () => {
  test('its secret is shown once, for copying', async () => {
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const list = byMethod({ GET: answer({ webhooks: [] }), POST: answer({ webhook: hookOf(), secret: 'whsec_abc' }) });
    const { sent } = open(list);
    await press('Add webhook');
    await dialog('Add a webhook');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add Webhook' }).disabled).toBe(true);
    await fill('Name', ' Trading desk ');
    await fill('URL', ' https://hooks.example.com/a ');
    await press('Add Webhook');
    const shown = await dialog('Your signing secret');
    expect(shown.getByText('whsec_abc')).toBeDefined();
    expect(shown.queryByRole('button', { name: 'Close' })).toBeNull();
    await userEvent.click(shown.getByRole('button', { name: 'Copy' }));
    expect(written).toHaveBeenCalledWith('whsec_abc');
    await press('I have saved the secret');
    expect(screen.queryByText('whsec_abc')).toBeNull();
    expect(sent('/api/webhooks', 'POST')).toEqual([
      { name: 'Trading desk', url: 'https://hooks.example.com/a', format: 'generic' },
    ]);
    expect(toasts).toContain('Webhook added');
  });

  test('Discord needs none: the dialog closes', async () => {
    const added = { webhook: hookOf({ format: 'discord' }), secret: null };
    const { sent } = open(byMethod({ GET: answer({ webhooks: [] }), POST: answer(added) }));
    await press('Add webhook');
    await dialog('Add a webhook');
    await fill('Name', 'Room');
    await choose('discord');
    expect(screen.getByPlaceholderText('https://discord.com/api/webhooks/…')).toBeDefined();
    await fill('URL', 'https://discord.com/api/webhooks/1/a');
    await press('Add Webhook');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent('/api/webhooks', 'POST')).toMatchObject([{ format: 'discord' }]);
  });

  test('a server error stays in the dialog, with its message', async () => {
    const words = 'The URL resolves to a private network';
    open(byMethod({ GET: answer({ webhooks: [] }), POST: refuse(400, words, 'bad_request') }));
    await press('Add webhook');
    const form = await dialog('Add a webhook');
    await fill('Name', 'Inside');
    await fill('URL', 'https://10.0.0.1/');
    await press('Add Webhook');
    expect((await form.findByRole('alert')).textContent).toBe(words);
  });
});

describe('an existing one', () => {
  const at = '/api/webhooks/4';

  test('changed: the address stays unless it is entered', async () => {
    const { sent } = open([hookOf()], { calls: { [at]: answer(hookOf()) } });
    await press('Edit');
    await dialog('Edit Trading desk');
    expect(screen.getByPlaceholderText('hooks.example.com/… (unchanged)')).toBeDefined();
    await fill('Name', 'Desk');
    await userEvent.click(screen.getByLabelText('Send alerts to this webhook'));
    await press('Save');
    await vi.waitFor(() => expect(toasts).toContain('Webhook saved'));
    expect(sent(at, 'PUT')).toEqual([{ name: 'Desk', format: 'generic', enabled: false }]);
  });

  test('a new secret', async () => {
    const renewed = answer({ secret: 'whsec_new', oldSecretUntil: '2026-11-22T12:00:00.000Z' });
    open([hookOf()], { calls: { [`${at}/secret`]: renewed } });
    await press('Edit');
    await dialog('Edit Trading desk');
    await press('New Secret');
    const shown = await dialog('Your signing secret');
    expect(shown.getByText('whsec_new')).toBeDefined();
    expect(shown.getByText(/stays valid for another 24 hours/)).toBeDefined();
  });

  test.each([
    [{ state: 'sent', status: 204, ms: 84, note: 'Answered 204' }, 'Test sent · Answered 204 in 84 ms'],
    [
      { state: 'later', status: 500, ms: 1200, note: 'Answered 500: away' },
      'Test failed · Answered 500 in 1,200 ms: away',
    ],
    [
      { state: 'later', status: null, ms: 10_000, note: 'No response within 10 s' },
      'Test failed · No response within 10 s',
    ],
  ])('a test: %j', async (result, words) => {
    const { sent } = open([hookOf()], { calls: { [`${at}/test`]: answer(result) } });
    await press('Test');
    expect((await screen.findByRole('status')).textContent).toBe(words);
    expect(sent(`${at}/test`, 'POST')).toHaveLength(1);
  });

  test('a rejected test explains why', async () => {
    const words = 'Limit reached: 10 tests per minute. Try again in a moment.';
    open([hookOf()], { calls: { [`${at}/test`]: refuse(429, words, 'rate_limited') } });
    await press('Test');
    expect((await screen.findByRole('alert')).textContent).toBe(words);
  });

  test('re-enabled', async () => {
    const { sent } = open([hookOf({ enabled: false })], { calls: { [at]: answer(hookOf()) } });
    await press('Enable');
    await vi.waitFor(() =>
      expect(sent(at, 'PUT')).toEqual([{ name: 'Trading desk', format: 'generic', enabled: true }]),
    );
  });

  test('its log, including an empty one', async () => {
    const missed = { state: 'later', status: null, ms: 10_000, note: 'No answer' } as const;
    const test = attemptOf({ ...missed, id: 7, kind: 'TEST', deliveryId: null });
    const attempts = [attemptOf(), attemptOf({ ...missed, id: 8 }), test];
    const logs = vi.fn(() => Response.json({ attempts }));
    open([hookOf()], { calls: { [`${at}/attempts`]: logs } });
    await press('Log');
    const log = await dialog('Log of Trading desk');
    const rows = (await log.findAllByRole('listitem')).map((row) => row.textContent);
    expect(rows).toEqual([
      '21 Nov 2026, 11:00:00 UTCSentAnswered 204 in 84 msCUSTOM_THRESHOLD · dlv_812',
      '21 Nov 2026, 11:00:00 UTCRetriedNo answerCUSTOM_THRESHOLD · dlv_812',
      '21 Nov 2026, 11:00:00 UTCFailedNo answerTEST',
    ]);
    await press('Close');
    logs.mockReturnValue(Response.json({ attempts: [] }));
    await press('Log');
    expect(await (await dialog('Log of Trading desk')).findByText('Nothing sent yet')).toBeDefined();
  });

  test('a log that fails to load, with Retry', async () => {
    open([hookOf()], { calls: { [`${at}/attempts`]: broken } });
    await press('Log');
    expect(await (await dialog('Log of Trading desk')).findByText('Failed to load the log')).toBeDefined();
  });

  test('removed after confirmation', async () => {
    const { sent } = open([hookOf()], { calls: { [at]: answer({ success: true }) } });
    await press('Remove');
    const question = await dialog('Remove this webhook?');
    await userEvent.click(question.getByRole('button', { name: 'Remove' }));
    await vi.waitFor(() => expect(toasts).toContain('Webhook Trading desk removed'));
    expect(sent(at, 'DELETE')).toHaveLength(1);
  });
});

test('how to verify a call, with a sample to copy', async () => {
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  open([hookOf()]);
  await userEvent.click(await screen.findByText('How to verify the signature'));
  expect(screen.getByRole('region', { name: 'Sample in Node' }).textContent).toBe(VERIFY_SAMPLE);
  await press('Copy');
  expect(written).toHaveBeenCalledWith(VERIFY_SAMPLE);
  expect(toasts).toContain('Sample copied to clipboard!');
});

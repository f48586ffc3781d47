import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NOON } from '#features/market/web/market/fixtures.ts';
import { type ErrorLog, type ErrorType } from '#features/operations/contract/error-logs.ts';
import { type Answer, broken, refuse } from '#ui/testing/answers.ts';
import { address, LATE, press, texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

const LIST = '/api/errors';
const LOG_IN = 'Authentication required. Please log in.';
const ago = (minutes: number) => new Date(NOON - minutes * 60_000).toISOString();
const errorOf = (id: number, change: Partial<ErrorLog> = {}): ErrorLog => ({
  id,
  source: 'coingecko',
  type: 'api_failure',
  message: 'CoinGecko answered 503',
  timestamp: ago(5),
  details: '{"kind":"http"}',
  fingerprint: 'f'.repeat(32),
  firstSeen: ago(3 * 24 * 60),
  count: 1234,
  requestId: null,
  ...change,
});
const STACK = 'Error: no\n    at f (a.ts:1:2)';
const errors = [
  errorOf(9),
  errorOf(8, {
    source: 'server',
    type: 'system',
    message: '<img src=x onerror=alert(1)> failed',
    details: JSON.stringify({ requestId: 'r-8', error: STACK, path: 'C:\\new' }),
    requestId: 'r-8',
    count: 1,
  }),
  errorOf(7, { source: 'auth', type: 'authentication', message: 'Mailing a link failed', details: 'not { JSON' }),
  errorOf(6, { source: 'market', type: 'data_collection', message: `Long ${'x'.repeat(400)} end`, details: null }),
  errorOf(5, { source: 'else', type: 'other', message: 'Of no type', details: null }),
];
const tallyOf = (some: readonly ErrorLog[]) => ({
  errors: some.length,
  times: some.reduce((n, { count }) => n + count, 0),
});
const countsOf = (all: readonly ErrorLog[]) => {
  const of = (type: ErrorType) => tallyOf(all.filter((each) => each.type === type));
  return {
    all: tallyOf(all),
    api_failure: of('api_failure'),
    data_collection: of('data_collection'),
    authentication: of('authentication'),
    system: of('system'),
    other: of('other'),
  };
};
const listOf =
  (all: readonly ErrorLog[], next: string | null = null): Answer =>
  (url) => {
    const asked = new URL(url, 'http://here').searchParams;
    const found = all.filter(({ message }) => message.includes(asked.get('q') ?? ''));
    const type = asked.get('type');
    return Response.json({
      errors: found.filter((each) => !type || each.type === type),
      counts: countsOf(found),
      next,
    });
  };
const open = (calls: Record<string, Answer> = {}, at = '/app/errors') =>
  openSignedIn({ at, plan: 'admin', calls: { [LIST]: listOf(errors), ...calls } });
const row = (name: string | RegExp) => screen.findByRole('listitem', { name }, LATE);
const rows = () => within(screen.getByRole('region', { name: 'Errors' })).queryAllByRole('listitem');
const refresh = () => userEvent.click(within(screen.getByRole('search')).getByRole('button', { name: 'Refresh' }));
const chips = () => texts(within(screen.getByRole('group', { name: 'Type' })).getAllByRole('button'));

test('chips with counts, a summary of the four types, each failure with its known facts; details open and close: JSON on separate lines, anything else raw, always as text; a long message is truncated and shown in full in the details; the request id is copied', async () => {
  open();
  const first = await row('CoinGecko answered 503');
  expect(chips()).toEqual(['All5', 'API Failures1', 'Data Collection1', 'Authentication1', 'System1']);
  const tiles = screen.getByText('seen once').closest('dl');
  expect(texts([...(tiles?.children ?? [])]).join(', ')).toBe(
    'API Failures1 seen 1,234 times, Data Collection1 seen 1,234 times, Authentication1 seen 1,234 times, System1 seen once',
  );
  expect(first.textContent).toContain('API failurecoingecko1,234 times');
  const [last, since] = [...first.querySelectorAll('time')];
  expect([last?.textContent, last?.title]).toEqual(['5m ago', '21 Nov 2026, 11:55:00 UTC']);
  expect([since?.textContent, since?.title]).toEqual(['3d ago', '18 Nov 2026, 12:00:00 UTC']);
  expect(within(await row('Of no type')).getByText('Other')).toBeDefined();
  expect(rows()).toHaveLength(5);
  const failed = await row(/onerror/);
  const details = within(failed).getByRole('button', { name: 'Details' });
  expect(details.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(details);
  expect(within(failed).getByRole('region', { name: 'Details' }).textContent).toBe(
    '{\n  "requestId": "r-8",\n  "error": "Error: no\n        at f (a.ts:1:2)",\n  "path": "C:\\\\new"\n}',
  );
  expect(failed.querySelector('img')).toBeNull();
  await userEvent.click(details);
  expect(within(failed).queryByRole('region', { name: 'Details' })).toBeNull();
  const raw = await row('Mailing a link failed');
  await userEvent.click(within(raw).getByRole('button', { name: 'Details' }));
  expect(within(raw).getByRole('region', { name: 'Details' }).textContent).toBe('not { JSON');
  const long = await row(/^Long x+…$/);
  await userEvent.click(within(long).getByRole('button', { name: 'Details' }));
  expect(within(long).getByRole('region', { name: 'Message' }).textContent).toMatch(/^Long x{400} end$/);
  expect(within(await row('Of no type')).queryByRole('button', { name: 'Details' })).toBeNull();
  const user = userEvent.setup();
  await user.click(within(await row(/onerror/)).getByRole('button', { name: 'Copy request id r-8' }));
  expect(await screen.findByText('Request id copied to clipboard!', {}, LATE)).toBeDefined();
  expect(await navigator.clipboard.readText()).toBe('r-8');
});

test('a chip filters by type, stored in the URL; searching queries the server and reports no match', async () => {
  const { sent } = open();
  await row('CoinGecko answered 503');
  await press(/^API Failures/);
  await waitFor(() => expect(rows()).toHaveLength(1));
  expect(sent(LIST, 'GET').at(-1)).toBe('/api/errors?type=api_failure');
  expect(address()).toBe('/app/errors?type=api_failure');
  expect(screen.getByRole('button', { name: /^API Failures/ }).getAttribute('aria-pressed')).toBe('true');
  expect(chips()).toHaveLength(5);
  await press(/^All/);
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search errors' }), 'nowhere');
  expect(await screen.findByText('No Errors Found', {}, LATE)).toBeDefined();
  expect(screen.getByText('No errors match your search.')).toBeDefined();
  expect(sent(LIST, 'GET').at(-1)).toBe('/api/errors?q=nowhere');
});

test('Resolve: the row disappears, the counts update, the list gets focus', async () => {
  let left = errors;
  const { sent } = open({
    [LIST]: (url) => listOf(left)(url),
    [`${LIST}/9/resolve`]: () => {
      left = left.slice(1);
      return Response.json({ success: true });
    },
  });
  await userEvent.click(within(await row('CoinGecko answered 503')).getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(rows()).toHaveLength(4));
  expect(sent(`${LIST}/9/resolve`, 'POST')).toHaveLength(1);
  expect(chips()[0]).toBe('All4');
  await waitFor(() => expect(document.activeElement?.tagName).toBe('UL'));
  expect(await screen.findByText('Resolved. It reopens if it recurs.', {}, LATE)).toBeDefined();
});

test('a failed Resolve: shows the server’s message', async () => {
  open({ [`${LIST}/9/resolve`]: refuse(404, 'Error not found', 'not_found') });
  const first = await row('CoinGecko answered 503');
  await userEvent.click(within(first).getByRole('button', { name: 'Resolve' }));
  expect((await within(first).findByRole('alert')).textContent).toContain('Error not found');
});

test('Load more adds further pages, each failure once', async () => {
  const older = [errorOf(5, { message: 'Moved' }), errorOf(4, { message: 'Older' })];
  open({ [LIST]: (url) => (url.includes('before=1-5') ? listOf(older)(url) : listOf(errors, '1-5')(url)) });
  await row('CoinGecko answered 503');
  await press('Load more');
  expect(await row('Older')).toBeDefined();
  expect(rows()).toHaveLength(6);
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
});

test('the list refreshes automatically twice a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOON });
  const { sent } = open();
  await row('CoinGecko answered 503');
  const before = sent(LIST, 'GET').length;
  vi.advanceTimersByTime(30_000);
  await vi.waitFor(() => expect(sent(LIST, 'GET')).toHaveLength(before + 1));
});

test('No Errors Found when nothing failed, or nothing of that type', async () => {
  open({ [LIST]: listOf([]) });
  expect(await screen.findByText('No Errors Found', {}, LATE)).toBeDefined();
  expect(screen.getByText('Errors appear here.')).toBeDefined();
  expect(chips()).toEqual(['All0', 'API Failures0', 'Data Collection0', 'Authentication0', 'System0']);
});

test('an empty type mentions the others', async () => {
  open({ [LIST]: listOf([errors[1]!]) }, '/app/errors?type=authentication');
  expect(await screen.findByText('No Authentication errors; other types have some.', {}, LATE)).toBeDefined();
});

const ADMINS = 'Admin access required. This page is only available to administrators.';
test.each([
  ['signed out', LOG_IN, () => openApp({ at: '/app/errors' })],
  ['a session that has ended', LOG_IN, () => open({ [LIST]: refuse(401, LOG_IN, 'unauthenticated') })],
  [
    '403: administrators only',
    ADMINS,
    () => openSignedIn({ at: '/app/errors', plan: 'premium', calls: { [LIST]: refuse(403, ADMINS, 'forbidden') } }),
  ],
])('%s: the requirement, with a link to meet it', async (_, words, show) => {
  show();
  expect(await screen.findByText(words, {}, LATE)).toBeDefined();
  const href = screen.queryByRole('link', { name: 'Go to Login' })?.getAttribute('href');
  expect(href).toBe(words === LOG_IN ? '/app?auth=login' : undefined);
});

test('a list that fails to refresh remains and reports it', async () => {
  let isDown = false;
  open({ [LIST]: (url) => (isDown ? broken() : listOf(errors)(url)) });
  await row('CoinGecko answered 503');
  isDown = true;
  await refresh();
  await screen.findByText('Couldn’t refresh the list. It may be out of date.', {}, LATE);
  expect(rows()).toHaveLength(5);
});

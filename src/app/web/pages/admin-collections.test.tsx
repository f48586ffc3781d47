import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';

import { type CollectionSummary } from '#features/operations/contract/collections.ts';
import { summaries } from '#features/operations/web/collections/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { LATE, press, texts } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const LIST = '/api/admin/collections';
const EXPORT = '/api/admin/export/users';

/** Responds like the server, for one collection or all. */
const listed: Answer = (url) => {
  const query = new URL(url, 'http://here').searchParams;
  const q = query.get('q');
  const found = summaries.filter(({ collection }) => [null, collection as string].includes(query.get('collection')));
  return Response.json(q ? found.map((each) => searched(each, q)) : found);
};
function searched(summary: CollectionSummary, q: string): CollectionSummary {
  const data = summary.data.filter((record) => JSON.stringify(record).toLowerCase().includes(q));
  return { ...summary, data, found: data.length, searched: Math.min(summary.count, 20_000) };
}
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=collections', plan: 'admin', calls: { [LIST]: listed, ...calls } });
const card = (name: string) => screen.findByRole('region', { name }, LATE);
const sample = async (name: string) => within(await card(name)).findAllByRole('listitem');

test('a collection: name, description, record count, the first three records and the number remaining; a script in a record is text, and a long value is truncated; Show Raw shows records as JSON text, Hide Raw their fields again', async () => {
  open();
  const market = await card('market_data');
  expect(within(market).getByText('about 12.34M records')).toBeDefined();
  expect(within(market).getByText('Every stored price of every coin, from every source.')).toBeDefined();
  expect(within(market).getByText('and about 12.34M more records')).toBeDefined();
  const records = await sample('market_data');
  expect(records).toHaveLength(3);
  expect(records[0]?.textContent).toContain('price61,234.5');
  expect(records[0]?.textContent).toContain('volume_24h–');
  expect(records[0]?.textContent).toContain('observedAt2026-11-20 11:58:00 UTC');
  expect(within(await card('error_logs')).getByText('and 1 more record')).toBeDefined();
  const users = await card('users');
  expect(within(users).getByText('1 record')).toBeDefined();
  expect(within(users).getByText('All records shown')).toBeDefined();
  expect((await sample('users'))[0]?.textContent).toContain('emailVerifiedyes');
  expect(within(await card('fear_greed')).getByText('No records yet')).toBeDefined();
  const [record] = await sample('error_logs');
  expect(record?.textContent).toContain('<script>alert(1)</script>');
  expect(record?.querySelector('script')).toBeNull();
  expect(record?.textContent).toContain(`${'x'.repeat(140)}…`);
  expect(record?.textContent).not.toContain('END');
  await card('error_logs');
  await press('Show Raw');
  const raw = await screen.findByRole('region', { name: 'Raw records: error_logs' });
  expect(JSON.parse(raw.textContent)).toEqual(summaries[2]?.data.slice(0, 3));
  expect(raw.querySelector('script')).toBeNull();
  await press('Hide Raw');
  expect(screen.queryByRole('region', { name: /^Raw/ })).toBeNull();
  expect(await sample('error_logs')).toHaveLength(3);
});

describe('visible collections', () => {
  test('all or one of the eight', async () => {
    const { sent } = open();
    await card('users');
    const choice = screen.getByRole('combobox', { name: 'Collection' });
    expect(texts(within(choice).getAllByRole('option')).join(', ')).toBe(
      'All collections, market_data, ai_analysis, fear_greed, trending_narratives, upcoming_events, users, subscriptions, error_logs',
    );
    await userEvent.selectOptions(choice, 'users');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'market_data' })).toBeNull());
    expect(await card('users')).toBeDefined();
    expect(sent(LIST, 'GET')).toContain(`${LIST}?collection=users`);
  });

  test('the server searches stored records; the match count is shown', async () => {
    const { sent } = open();
    await card('users');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search records' }), 'root@');
    expect(await screen.findByText('1 of 1 record matches')).toBeDefined();
    expect(within(await card('users')).getByText('All matches shown')).toBeDefined();
    const market = await card('market_data');
    expect(within(market).getByText('0 of the latest 20,000 match')).toBeDefined();
    expect(within(market).getByText('No matching records')).toBeDefined();
    expect(sent(LIST, 'GET')).toContain(`${LIST}?q=root%40`);
  });
});

test('a failed search does not show previous results', async () => {
  open({ [LIST]: (url) => (url.includes('q=') ? broken() : listed(url)) });
  await card('users');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search records' }), 'ann');
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load admin data');
  expect(screen.queryByRole('region', { name: 'users' })).toBeNull();
});

describe('export', () => {
  const exported = async (given: Answer) => {
    const kept: [name: string, text: Promise<string>][] = [];
    let text = Promise.resolve('');
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      text = (file as Blob).text();
      return 'blob:here';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      kept.push([this.download, text]);
    });
    const { fetch } = open({ [EXPORT]: given });
    await userEvent.click(within(await card('users')).getByRole('button', { name: 'Export users' }));
    return { kept, fetch };
  };

  test.each([
    ['words', refuse(404, 'Not found', 'not_found'), 'Failed to export data: 404 - Not found'],
    ['no JSON', () => new Response('<p>', { headers: { 'content-type': 'text/html' } }), 'Unexpected response format'],
    [
      'an end before its end',
      () =>
        new Response(new ReadableStream({ pull: (to) => to.error(new Error('gone')) }), {
          headers: { 'content-type': 'application/json' },
        }),
      'The export was interrupted. Please try again.',
    ],
  ] as [string, Answer, string][])('%s: reports it and saves no file', async (_what, given, words) => {
    const { kept } = await exported(given);
    expect(await screen.findByText(words)).toBeDefined();
    expect(kept).toEqual([]);
    expect(screen.getByRole('button', { name: 'Export users' })).toBeDefined();
  });

  test('shows the amount received so far, and Cancel ends it silently', async () => {
    let signal: AbortSignal | null | undefined;
    const { kept } = await exported((_url, init) => {
      signal = init?.signal;
      const body = new ReadableStream({
        start(to) {
          to.enqueue(new Uint8Array(1_500_000));
          signal?.addEventListener('abort', () => to.error(signal?.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    });
    expect(await screen.findByText('1.5 MB')).toBeDefined();
    await press('Cancel the export of users');
    expect(await screen.findByRole('button', { name: 'Export users' })).toBeDefined();
    expect(signal?.aborted).toBe(true);
    expect(kept).toEqual([]);
    expect(screen.queryByText(/export/i, { selector: '[data-title]' })).toBeNull();
  });
});

test.each(['collections', 'ai-analysis', 'users'])(
  "the three dashboard requests: %s fails: 'Failed to load admin data' with Retry on another tab",
  async (load) => {
    let down = true;
    openSignedIn({
      at: '/app/admin?tab=audit',
      plan: 'admin',
      calls: {
        [`/api/admin/${load}`]: () => (down ? broken() : Response.json([])),
        '/api/admin/audit': answer({ entries: [], more: false }),
      },
    });
    expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to load admin data');
    expect(await screen.findByRole('region', { name: 'Audit Log' }, LATE)).toBeDefined();
    down = false;
    await press('Retry');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  },
);

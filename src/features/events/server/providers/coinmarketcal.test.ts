import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';

import { loadConfig } from '#kernel/config.ts';
import { createSourceClient } from '#kernel/http/http-client.ts';
import { shared } from '#tests/support/for-file.ts';
import { startStubProvider } from '#tests/support/rows.ts';
import { coinEvents, coinmarketcal } from './coinmarketcal.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const config = loadConfig({ COINMARKETCAL_API_KEY: 'k' });

const answers = shared(startStubProvider);

const read = (answer: unknown, status = 200) => {
  answers.respondWith('/v2/events', answer, status);
  const { name, options } = coinmarketcal;
  const client = createSourceClient(
    { name, ...options(config), baseUrl: answers.url, retries: 0, burst: 100 },
    () => NOW,
  );
  return coinEvents.read(client, { now: NOW, config, signal: new AbortController().signal, daysOf: async () => [] });
};
const row = { id: '7', title: 'Token unlock', date: '2026-12-01T00:00:00Z', dateType: 'date', isEstimated: false };
const page = (data: object[], cursor: string | null = null) => ({ data, meta: { total: 9, limit: 100, cursor } });

test('is called by API v2 with the key in both headers, page by page to the cap, the cursor unchanged', async () => {
  const asked: { query: Record<string, string>; authorization: string | undefined; key: unknown }[] = [];
  const found = await read((query: URLSearchParams, headers: IncomingHttpHeaders) => {
    asked.push({ query: Object.fromEntries(query), authorization: headers.authorization, key: headers['x-api-key'] });
    return page([{ ...row, id: String(asked.length) }], `next/${asked.length}+=`);
  });
  const query = { from: '2026-11-20', to: '2027-02-18', limit: '100', sortBy: 'date_asc' };
  const by = { authorization: 'Bearer k', key: 'k' };
  expect(asked).toEqual([
    { query, ...by },
    { query: { ...query, cursor: 'next/1+=' }, ...by },
    { query: { ...query, cursor: 'next/2+=' }, ...by },
  ]);
  expect(found.map(({ ref }) => ref)).toEqual(['1', '2', '3']);
});

test.each([
  ['a day that is named', {}, false],
  ['a day that is estimated', { isEstimated: true }, true],
  ['some day of a month', { dateType: 'month' }, true],
  ['some day of a quarter', { dateType: 'quarter', isEstimated: true }, true],
  ['a day of which nothing is said', { dateType: null, isEstimated: null }, true],
])('%s: exact only if the source states so', async (_, more, estimated) => {
  const found = await read(page([{ ...row, ...more }]));
  expect(found).toMatchObject([{ at: new Date('2026-12-01'), allDay: true, estimated }]);
});

test('a full row; no title or page makes it bare; a row without a date is omitted', async () => {
  const full = {
    ...row,
    description: 'Tokens are unlocked.',
    coins: [{ slug: 'solana', symbol: 'sol', name: 'Solana' }],
    sourceUrl: 'javascript:alert(1)',
    snapshotUrl: 'https://coinmarketcal.com/proof.png',
  };
  const bare = { ...row, id: '8', title: '', description: '', date: '2026-12-02', sourceUrl: null };
  const found = await read(page([full, bare, { ...row, id: '9', date: '' }]));
  expect(
    found.map(({ ref, title, description, publisher, url, impact, at }) => [
      ref,
      title,
      description,
      publisher,
      url,
      impact,
      at.toISOString(),
    ]),
  ).toEqual([
    [
      '7',
      'SOL: Token unlock',
      'Tokens are unlocked.',
      'CoinMarketCal',
      full.snapshotUrl,
      'high',
      '2026-12-01T00:00:00.000Z',
    ],
    ['8', null, null, null, null, 'low', '2026-12-02T00:00:00.000Z'],
  ]);
});

test("malformed rows are an error, and a rejection keeps the source's own message", async () => {
  for (const wrong of [{ id: 7 }, { date: 'soon' }, { title: { en: 'Token unlock' } }, { isEstimated: 'yes' }])
    await expect(read(page([{ ...row, ...wrong }]))).rejects.toThrow('unexpected format');
  const refused = { error: { message: 'Invalid or missing API key' } };
  await expect(read(refused, 401)).rejects.toThrow('returned 401: Invalid or missing API key');
});

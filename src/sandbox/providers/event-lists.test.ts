import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 3, 27);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, now: NOW });
});
afterAll(() => sandbox.close());

type Page = {
  data: { id: string; date: string; isEstimated: boolean }[];
  meta: { total: number; cursor: string | null };
};
const BEARER = { authorization: 'Bearer demo' };
const ask = (query: string, headers: Record<string, string> = BEARER, path = '/v2/events') =>
  fetch(`${sandbox.urls['COINMARKETCAL_BASE_URL']}${path}?${query}`, { headers });

test('CoinMarketCal: pages by cursor say together what one page says', async () => {
  const whole = (await (await ask('limit=100')).json()) as Page;
  expect(whole.meta).toMatchObject({ total: 12, cursor: null });
  const rows: Page['data'] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=5' : `limit=5&cursor=${encodeURIComponent(cursor)}`;
    const page = (await (await ask(query)).json()) as Page;
    rows.push(...page.data);
    cursor = page.meta.cursor;
  }
  expect(rows).toEqual(whole.data);
  expect(rows.filter(({ isEstimated }) => isEstimated)).toHaveLength(1);
});

test('CoinMarketCal: from and to bound the days', async () => {
  const { data } = (await (await ask('from=2026-12-01&to=2026-12-31')).json()) as Page;
  expect(data.length).toBeGreaterThan(2);
  for (const { date } of data) expect(date).toMatch(/^2026-12-/);
});

test.each([
  ['no key', 401, '', {}, '/v2/events'],
  ['the key as v1 had it', 401, '', { 'x-api-key': 'demo' }, '/v2/events'],
  ['an empty bearer', 401, '', { authorization: 'Bearer ' }, '/v2/events'],
  ['a cursor it never gave', 400, 'cursor=abc', BEARER, '/v2/events'],
  ['too long a page', 400, 'limit=101', BEARER, '/v2/events'],
  ['the API that is gone', 404, '', BEARER, '/v1/events'],
])('CoinMarketCal: %s is refused with %i', async (_, status, query, headers: Record<string, string>, path) => {
  const answer = await ask(query, headers, path);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ error: { message: expect.any(String) } });
});

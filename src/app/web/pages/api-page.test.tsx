import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { openApi } from '#features/api/web/api/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer } from '#ui/testing/answers.ts';
import { address, LATE, texts } from '../testing/acts.ts';
import { openApp } from '../testing/open-app.tsx';

const scrolled = vi.fn();
beforeEach(() => {
  scrolled.mockClear();
  Element.prototype.scrollIntoView = scrolled;
});

const KEY = 'mk_live_never';
const LIMITS = { ratelimit: '"daily";r=999;t=100', 'content-type': 'application/json; charset=utf-8' };
const open = (calls: Record<string, Answer> = {}, as: 'anonymous' | Plan = 'anonymous', at = '/app/api') =>
  openApp({ at, as, calls: { '/api/openapi.json': answer(openApi), ...calls } });
const ready = () => screen.findByRole('heading', { level: 2, name: 'Market' }, LATE);
const article = (name: RegExp) => within(screen.getByRole('article', { name }));
const copying = () => vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
const sampleIn = (where: ReturnType<typeof within>, name: string) =>
  where.getByRole('region', { name: new RegExp(`^Sample in ${name} of `) }).textContent ?? '';

describe('page header', () => {
  test.each([
    ['anonymous', 'Create an account', '/app?auth=register'],
    ['free', 'Upgrade to Pro', '/app/subscription'],
    ['pro', 'Get a key', '/app/profile?tab=api-keys'],
  ] as const)('%s gets a key via: %s', async (as, name, href) => {
    open({}, as);
    await ready();
    const main = within(screen.getByRole('main'));
    expect((await main.findByRole('link', { name })).getAttribute('href')).toBe(href);
  });

  test('limits, the downloadable document and the versioning policy; by tag, the first one open, with scope, plan, parameters, response and errors; searched, with no match', async () => {
    open();
    await ready();
    const card = within(screen.getByRole('region', { name: 'How It Works' }));
    expect(await card.findByText(/^Pro 1,000 calls a day, Premium\+ 10,000 calls a day/)).toBeDefined();
    expect(card.getByText(/announced at least 30 days ahead/)).toBeDefined();
    const link = card.getByRole('link', { name: 'OpenAPI 3.1 document' });
    expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([
      '/api/openapi.json',
      'meridian-openapi.json',
    ]);
    expect(
      screen
        .getAllByRole('article')
        .map((each) => each.id)
        .join(', '),
    ).toBe('get-crypto-prices, get-crypto-prices-id, get-stream, post-thresholds, get-account');
    const first = article(/\/api\/v1\/crypto-prices .*Every coin/);
    expect(first.getByText(/^Requires/).textContent).toBe('Requires the market scope. Available from Pro.');
    const rows = within(first.getByRole('table')).getAllByRole('row');
    expect(texts(rows)).toEqual([
      'NameTypeDescription',
      'limitqueryinteger1 to 500, default 100',
      'formatquery"json" | "csv"–',
      'fieldsquerystringNames of fields. At most 2000 characters',
    ]);
    await userEvent.click(first.getByText('prices'));
    expect(await first.findByText('symbol')).toBeDefined();
    await userEvent.click(first.getByText('Other responses: 401, 403, 429'));
    expect(first.getByText('The plan or the scope is too low')).toBeDefined();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search endpoints' }), 'alert rule');
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
    expect(address()).toBe('/app/api?search=alert+rule');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search endpoints' }), 'zzz');
    expect(await screen.findByText('No matching endpoints')).toBeDefined();
  });
});

test('a URL identifies a call, and the list links to one', async () => {
  open({}, 'anonymous', '/app/api#post-thresholds');
  await ready();
  expect(screen.getByRole('button', { name: /thresholds/ }).getAttribute('aria-expanded')).toBe('true');
  await waitFor(() => expect(scrolled).toHaveBeenCalled());
  const list = within(screen.getByRole('navigation', { name: 'Endpoints' }));
  await userEvent.click(list.getByRole('link', { name: '/account' }));
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /account/ }).getAttribute('aria-expanded')).toBe('true'),
  );
  await userEvent.selectOptions(screen.getByLabelText('Go to endpoint'), 'GET /stream');
  expect(screen.getByRole('button', { name: /stream/ }).getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: /stream/ }));
  expect(screen.getByRole('button', { name: /stream/ }).getAttribute('aria-expanded')).toBe('false');
});

describe('trying it', () => {
  const tryOne = async (reply: Answer) => {
    const { fetch } = open({ '/api/v1/crypto-prices': reply });
    await ready();
    const first = article(/Every coin/);
    await userEvent.click(first.getByLabelText('API key'));
    await userEvent.paste(` ${KEY} `);
    return { fetch, first };
  };

  test('requires a key, which is stored only on the page', async () => {
    const { first } = await tryOne(answer({}));
    expect(first.getByText(/it is not stored/)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: /account/ }));
    expect(article(/account/).getByLabelText<HTMLInputElement>('API key').value).toBe(` ${KEY} `);
    await userEvent.clear(first.getByLabelText('API key'));
    expect(first.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(KEY);
  });

  test('shows status, time, limits and body, and samples that follow the input', async () => {
    const reply = () => Response.json({ prices: [{ symbol: 'BTC' }] }, { headers: LIMITS });
    const { fetch, first } = await tryOne(reply);
    await userEvent.type(first.getByLabelText('limit'), '5');
    await userEvent.selectOptions(first.getByLabelText('format'), 'json');
    await userEvent.click(first.getByRole('button', { name: 'Send' }));
    const body = await first.findByRole('region', { name: 'Response body of get-crypto-prices' }, LATE);
    expect(JSON.parse(body.textContent ?? '')).toEqual({ prices: [{ symbol: 'BTC' }] });
    expect(first.getByText(/^200/)).toBeDefined();
    expect(first.getByText(/^\d+ ms$/)).toBeDefined();
    expect(first.getByText('"daily";r=999;t=100')).toBeDefined();
    const [url, init] = fetch.mock.calls.find(([path]) => path.startsWith('/api/v1/')) ?? [];
    expect(url).toBe('/api/v1/crypto-prices?limit=5&format=json');
    expect(init?.headers).toEqual({ 'x-api-key': KEY });
    for (const name of ['curl', 'TypeScript', 'Python']) {
      await userEvent.click(first.getByRole('radio', { name }));
      expect(sampleIn(first, name)).toContain('/api/v1/crypto-prices?limit=5&format=json');
      expect(sampleIn(first, name)).not.toContain(KEY);
    }
    await userEvent.click(first.getByRole('radio', { name: 'Client' }));
    expect(sampleIn(first, 'Client')).toContain('meridian.getCryptoPrices({ limit: 5, format: "json" })');
  });

  test('reports an unreachable server', async () => {
    const { first } = await tryOne(() => Promise.reject(new TypeError('Failed to fetch')));
    await userEvent.click(first.getByRole('button', { name: 'Send' }));
    expect((await first.findByRole('alert', {}, LATE)).textContent).toBe('Couldn’t reach the server');
  });

  test('shows the beginning of a large body and copies all of it', async () => {
    const written = copying();
    const { first } = await tryOne(answer({ text: 'x'.repeat(50_000) }));
    await userEvent.click(first.getByRole('button', { name: 'Send' }));
    const body = await first.findByRole('region', { name: /^Response body/ }, LATE);
    expect(body.textContent?.length).toBeLessThan(21_000);
    expect(first.getByText(/^Body, first 20k characters of 50k characters. Copy includes all./)).toBeDefined();
    const answered = within(first.getByRole('group', { name: 'Response' }));
    await userEvent.click(answered.getByRole('button', { name: 'Copy' }));
    expect(JSON.parse(written.mock.calls[0]?.[0] ?? '')).toEqual({ text: 'x'.repeat(50_000) });
  });

  test('a call with a body starts with an example; one missing a path parameter cannot be sent', async () => {
    const made = vi.fn<Answer>(() => Response.json({ id: 1 }));
    open({ '/api/v1/thresholds': made }, 'anonymous', '/app/api#post-thresholds');
    await ready();
    const rule = article(/thresholds/);
    await userEvent.type(rule.getByLabelText('API key'), KEY);
    expect(JSON.parse(rule.getByLabelText<HTMLTextAreaElement>('Request body (JSON)').value)).toMatchObject({
      value: 0,
    });
    expect(rule.getByText('Counts as one call and takes effect on your account.')).toBeDefined();
    await userEvent.click(rule.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(made).toHaveBeenCalled());
    expect(made.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    await userEvent.click(screen.getByRole('button', { name: /One coin/ }));
    const one = article(/One coin/);
    expect(one.getByText('Required: id')).toBeDefined();
    expect(one.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
  });
});

test('assistants: address, header, and a configuration for each to copy', async () => {
  const written = copying();
  open();
  await userEvent.click(await screen.findByRole('tab', { name: 'Assistants' }, LATE));
  expect(address()).toBe('/app/api?tab=assistants');
  const setup = within(await screen.findByRole('region', { name: 'Setup' }, LATE));
  for (const [name, text] of [
    ['Claude Code', 'claude mcp add --transport http meridian'],
    ['Claude Desktop', 'mcp-remote'],
    ['Cursor', '"X-API-Key": "YOUR_KEY"'],
    ['VS Code', '"servers"'],
    ['Codex', 'bearer_token_env_var'],
    ['Gemini CLI', '"httpUrl"'],
  ] as const) {
    await userEvent.selectOptions(setup.getByLabelText('Assistant'), name);
    const shown = setup.getByRole('region', { name: `Configuration for ${name}` }).textContent ?? '';
    expect([shown.includes(text), shown.includes('/mcp')], name).toEqual([true, true]);
  }
  await userEvent.click(setup.getByRole('button', { name: 'Copy' }));
  expect(written).toHaveBeenCalledWith(expect.stringContaining('httpUrl'));
});

// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { type AdminSource, listAdminSources } from '#features/operations/contract/sources.ts';
import { adminSources } from '#features/operations/web/sources/admin-fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

const LIST = '/api/admin/sources';
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=sources', plan: 'admin', calls: { [LIST]: answer(adminSources()), ...calls } });
const row = (name: RegExp) => screen.findByRole('row', { name }, LATE);
const text = async (name: RegExp) => (await row(name)).textContent;
const names = () => screen.getAllByRole('rowheader').map((head) => head.firstElementChild?.textContent);
const collect = async (name: RegExp) =>
  userEvent.click(within(await row(name)).getByRole('button', { name: 'Collect now' }));
const outcome = async (name: RegExp) => within(await row(name)).getByRole('status').textContent;

test('the test data keep the contract', () => {
  expect(listAdminSources.reply.parse(adminSources())).toEqual(adminSources());
});

test('what an operator wants to know of each, trouble first', async () => {
  open();
  const down = await text(/^mempool/);
  for (const words of ['Down', 'No answer for 10 seconds.', '40.6%', '2,140 ms', 'Success2h ago', 'Failure30s ago'])
    expect(down).toContain(words);
  const coingecko = await text(/^CoinGecko/);
  for (const words of [
    'market.listing, metrics.listing',
    'COINGECKO_API_KEYset',
    '9,120 of 10,000 calls this month',
    'Nextin 4m',
    'FailureNever',
  ])
    expect(coingecko).toContain(words);
  expect(await text(/^Glassnode/)).toContain('OffSet GLASSNODE_API_KEY to switch it on.');
  expect(await text(/^Glassnode/)).toContain('GLASSNODE_API_KEYmissing');
  expect(await text(/^OKX/)).toContain('OKX is heard over a connection that stays open');
  expect(await text(/^OKX/)).toContain('NextAlways on');
  expect(names().slice(0, 3)).toEqual(['mempool.space', 'Binance', 'alternative.me']);
  for (const name of [/^Glassnode/, /^OKX/]) expect(within(await row(name)).queryByRole('button')).toBeNull();
  expect(screen.getByText('2 of 5 healthy, 1 on standby, 1 without its key')).toBeDefined();
});

test('failing ones, those that are off, and a search', async () => {
  open();
  await row(/^OKX/);
  await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
  expect(names()).toEqual(['mempool.space', 'Binance', 'alternative.me']);
  await userEvent.click(screen.getByRole('radio', { name: 'Off' }));
  expect(names()).toEqual(['Glassnode']);
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  await userEvent.type(screen.getByRole('searchbox'), 'metrics.listing');
  await expect.poll(names, { timeout: 5000 }).toEqual(['CoinGecko']);
  await userEvent.type(screen.getByRole('searchbox'), ' x');
  expect(await screen.findByText('No source found')).toBeDefined();
});

test('none is failing', async () => {
  const { sources } = adminSources();
  open({ [LIST]: answer({ ...adminSources(), sources: sources.filter(({ state }) => state === 'ok') }) });
  await row(/^OKX/);
  await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
  expect(screen.getByText('No source is failing')).toBeDefined();
});

test('no answer, then Retry', async () => {
  let lost = true;
  open({ [LIST]: () => (lost ? broken() : Response.json(adminSources())) });
  expect(await screen.findByText('Failed to load admin data', {}, LATE)).toBeDefined();
  lost = false;
  await press('Retry');
  await row(/^OKX/);
});

const asked = { note: null, askedAt: adminSources().timestamp, askedBy: 'ann@example.com' };

test('the row follows the jobs to what became of it', async () => {
  let run: AdminSource['run'] = null;
  const { sent } = open({
    [LIST]: () => Response.json(adminSources({ mempool: { run } })),
    [`${LIST}/mempool/collect`]: () => {
      run = { ...asked, state: 'running' };
      return Response.json({ jobs: ['metrics.slow'] });
    },
  });
  await collect(/^mempool/);
  await expect.poll(() => outcome(/^mempool/), { timeout: 5000 }).toBe('Readingasked Just now by ann@example.com');
  expect(
    within(await row(/^mempool/))
      .getByRole('button', { name: 'Collecting...' })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  run = { ...asked, state: 'unanswered', note: 'mempool.space answered 503' };
  await expect
    .poll(() => outcome(/^mempool/), { timeout: 5000 })
    .toBe('No responsemempool.space answered 503asked Just now by ann@example.com');
  expect(within(await row(/^mempool/)).getByRole('button', { name: 'Collect now' })).toBeDefined();
  expect(sent(`${LIST}/mempool/collect`, 'POST')).toHaveLength(1);
});

test.each([
  ['waiting', 'Waiting for a worker'],
  ['answered', 'Responded'],
  ['failed', 'Job failed'],
  ['not_asked', 'Not requestedIts job has finished: the source is on standby'],
] as const)('a collection that is %s', async (state, words) => {
  open({ [LIST]: answer(adminSources({ mempool: { run: { ...asked, state } } })) });
  expect(await outcome(/^mempool/)).toContain(words);
});

test('a refusal in its words', async () => {
  const words = 'mempool.space was asked a moment ago: try again in 29 seconds';
  open({ [`${LIST}/mempool/collect`]: refuse(409, words, 'conflict') });
  await collect(/^mempool/);
  expect((await within(await row(/^mempool/)).findByRole('alert')).textContent).toBe(words);
});

import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { type AdminSource } from '#features/operations/contract/sources.ts';
import { failedRunOf, jobList } from '#features/operations/web/jobs/fixtures.ts';
import { adminSources } from '#features/operations/web/sources/admin-fixtures.ts';
import { type Answer, answer, refuse } from '#ui/testing/answers.ts';
import { LATE, press, quickenIntervals } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

const LIST = '/api/admin/sources';
const open = (calls: Record<string, Answer> = {}) =>
  openSignedIn({ at: '/app/admin?tab=sources', plan: 'admin', calls: { [LIST]: answer(adminSources()), ...calls } });
const row = (name: RegExp) => screen.findByRole('row', { name }, LATE);
const text = async (name: RegExp) => (await row(name)).textContent;
const names = () => screen.getAllByRole('rowheader').map((head) => head.firstElementChild?.textContent);
const collect = async (name: RegExp) =>
  userEvent.click(within(await row(name)).getByRole('button', { name: 'Collect now' }));
const outcome = async (name: RegExp) => within(await row(name)).getByRole('status').textContent;

test('shows operator details for each, failures first; filters failing and disabled ones, and searches', async () => {
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
  expect(screen.getByText('2 of 5 healthy, 1 on standby, 1 missing a key')).toBeDefined();
  await row(/^OKX/);
  await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
  expect(names()).toEqual(['mempool.space', 'Binance', 'alternative.me']);
  await userEvent.click(screen.getByRole('radio', { name: 'Off' }));
  expect(names()).toEqual(['Glassnode']);
  await userEvent.click(screen.getByRole('radio', { name: 'All' }));
  await userEvent.type(screen.getByRole('searchbox'), 'metrics.listing');
  await expect.poll(names, { timeout: 5000 }).toEqual(['CoinGecko']);
  await userEvent.type(screen.getByRole('searchbox'), ' x');
  expect(await screen.findByText('No sources found')).toBeDefined();
});

test('none failing', async () => {
  const { sources } = adminSources();
  open({ [LIST]: answer({ ...adminSources(), sources: sources.filter(({ state }) => state === 'ok') }) });
  await row(/^OKX/);
  await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
  expect(screen.getByText('No sources are failing')).toBeDefined();
});

const asked = { note: null, askedAt: adminSources().timestamp, askedBy: 'ann@example.com' };

test('the row follows the jobs to their outcome', async () => {
  quickenIntervals();
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
] as const)('a collection with outcome %s', async (state, words) => {
  open({ [LIST]: answer(adminSources({ mempool: { run: { ...asked, state } } })) });
  expect(await outcome(/^mempool/)).toContain(words);
});

test('shows a refusal verbatim', async () => {
  const words = 'mempool.space was requested a moment ago. Try again in 29 seconds';
  open({ [`${LIST}/mempool/collect`]: refuse(409, words, 'conflict') });
  await collect(/^mempool/);
  expect((await within(await row(/^mempool/)).findByRole('alert')).textContent).toBe(words);
});

describe('jobs', () => {
  const LIST = '/api/admin/jobs';
  const FAILED = `${LIST}/failed`;
  const RUN = failedRunOf();
  const failed = { runs: [RUN], total: 1 };
  const open = (calls: Record<string, Answer> = {}) =>
    openSignedIn({
      at: '/app/admin?tab=jobs',
      plan: 'admin',
      calls: { [LIST]: answer(jobList()), [FAILED]: answer(failed), ...calls },
    });
  const cells = async (name: RegExp) => [...(await row(name)).children].map((cell) => cell.textContent.trim());
  const button = async (name: RegExp, words: string) => within(await row(name)).getByRole('button', { name: words });

  test('each job: description, schedule, current run and last outcome; failing ones first; filters for failing and running, and a search', async () => {
    open();
    expect((await cells(/^market\.listing/)).join(', ')).toBe(
      'market.listingWhat market.listing does, Every 5 minutesnext in 4m, Idle, Last success 1m ago 840 ms, Last failure Never, Run now',
    );
    expect(await cells(/^market\.backfill/)).toEqual([
      'market.backfillWhat market.backfill does',
      'On demand',
      'Idle',
      'Last success Never',
      'Last failure 3m ago 3 in 24hOKX answered 503',
      'This job needs input and is started by the system.',
    ]);
    expect((await cells(/^exports\.make/))[2]).toBe('Running since 5s ago on desk:412 waiting');
    expect((await cells(/^auth\.retention/)).slice(1, 4)).toEqual([
      'Hourly at :17next in 4m',
      'Idle',
      'Last success 1m ago 12.3 s',
    ]);
    expect(names()[0]).toBe('market.backfill');
    expect(screen.getByText('4 jobs, 1 running, 1 failing')).toBeDefined();
    await row(/^market\.listing/);
    await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
    expect(names()).toEqual(['market.backfill']);
    await userEvent.click(screen.getByRole('radio', { name: 'Running' }));
    expect(names()).toEqual(['exports.make']);
    await userEvent.type(screen.getByRole('searchbox'), 'none such');
    expect(await screen.findByText('No jobs found')).toBeDefined();
  });

  test('shows a refusal verbatim', async () => {
    open({ [`${LIST}/market.listing/run`]: refuse(409, 'market.listing is already running', 'conflict') });
    await userEvent.click(await button(/^market\.listing/, 'Run now'));
    expect((await within(await row(/^market\.listing/)).findByRole('alert')).textContent).toBe(
      'market.listing is already running',
    );
  });

  test('a failed run: its payload, error and Retry', async () => {
    let runs = [RUN];
    const path = `${FAILED}/${RUN.id}/retry`;
    const { sent } = open({
      [FAILED]: () => Response.json({ runs, total: runs.length }),
      [path]: () => {
        runs = [];
        return Response.json({ id: RUN.id, name: RUN.name });
      },
    });
    const item = (await screen.findByText('{"coinId":"bitcoin"}', {}, LATE)).closest('li') as HTMLElement;
    expect(item.textContent).toBe(
      'market.backfill 3m ago, 9 triesOKX answered 503\nat its candles{"coinId":"bitcoin"}Retry',
    );
    await press('Retry');
    expect(await screen.findByText('market.backfill restarted')).toBeDefined();
    expect(await screen.findByText('No failed runs')).toBeDefined();
    expect(sent(path, 'POST')).toHaveLength(1);
  });

  test('a run that cannot be retried explains why; those beyond the listed ones are counted', async () => {
    open({
      [FAILED]: answer({ runs: [RUN], total: 4120 }),
      [`${FAILED}/${RUN.id}/retry`]: refuse(409, 'This run has already been retried', 'conflict'),
    });
    expect(await screen.findByText('latest 1 of 4,120', {}, LATE)).toBeDefined();
    await press('Retry');
    expect((await screen.findByRole('alert')).textContent).toBe('This run has already been retried');
  });
});

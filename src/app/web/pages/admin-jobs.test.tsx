// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { type Job, listFailedRuns, listJobs } from '#features/operations/contract/jobs.ts';
import { failedRunOf, jobList } from '#features/operations/web/jobs/fixtures.ts';
import { type Answer, answer, broken, refuse } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { eachWithItsApp } from '../testing/open-app.tsx';
import { openSignedIn } from '../testing/signed-in.tsx';

eachWithItsApp();

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
const row = (name: RegExp) => screen.findByRole('row', { name }, LATE);
const cells = async (name: RegExp) => [...(await row(name)).children].map((cell) => cell.textContent.trim());
const names = () => screen.getAllByRole('rowheader').map((head) => head.firstElementChild?.textContent);
const button = async (name: RegExp, words: string) => within(await row(name)).getByRole('button', { name: words });

test('the test data keep the contract', () => {
  expect(listJobs.reply.parse(jobList())).toEqual(jobList());
  expect(listFailedRuns.reply.parse(failed)).toEqual(failed);
});

test('each job: what it does, when it comes, what runs now and how it ended; failing ones first', async () => {
  open();
  expect(await cells(/^market\.listing/)).toEqual([
    'market.listingWhat market.listing does',
    'Every 5 minutesnext in 4m',
    'Idle',
    'Last success 1m ago 840 ms',
    'Last failure Never',
    'Run now',
  ]);
  expect(await cells(/^market\.backfill/)).toEqual([
    'market.backfillWhat market.backfill does',
    'On demand',
    'Idle',
    'Last success Never',
    'Last failure 3m ago 3 in 24 hoursOKX answered 503',
    'It needs to be told what to work on: the product sends it.',
  ]);
  expect((await cells(/^exports\.make/))[2]).toBe('Running since 5s ago on desk:412 waiting');
  expect((await cells(/^auth\.retention/)).slice(1, 4)).toEqual([
    'Hourly at :17next in 4m',
    'Idle',
    'Last success 1m ago 12.3 s',
  ]);
  expect(names()[0]).toBe('market.backfill');
  expect(screen.getByText('4 jobs, 1 running, 1 failing')).toBeDefined();
});

test('failing ones, running ones, and a search', async () => {
  open();
  await row(/^market\.listing/);
  await userEvent.click(screen.getByRole('radio', { name: 'Failing' }));
  expect(names()).toEqual(['market.backfill']);
  await userEvent.click(screen.getByRole('radio', { name: 'Running' }));
  expect(names()).toEqual(['exports.make']);
  await userEvent.type(screen.getByRole('searchbox'), 'none such');
  expect(await screen.findByText('No job found')).toBeDefined();
});

test('a job is run by hand and its row follows it', async () => {
  let change: Partial<Job> = {};
  const { sent } = open({
    [LIST]: () => Response.json(jobList(change)),
    [`${LIST}/market.listing/run`]: () => {
      change = { waiting: 1 };
      return Response.json({ id: RUN.id });
    },
  });
  await userEvent.click(await button(/^market\.listing/, 'Run now'));
  await expect.poll(async () => (await cells(/^market\.listing/))[2], { timeout: 5000 }).toBe('1 waiting');
  expect((await button(/^market\.listing/, 'Under way...')).getAttribute('aria-disabled')).toBe('true');
  expect(sent(`${LIST}/market.listing/run`, 'POST')).toHaveLength(1);
  change = { lastSuccess: { at: jobList().timestamp, ms: 77 } };
  await expect
    .poll(async () => (await cells(/^market\.listing/))[3], { timeout: 5000 })
    .toMatch(/^Last success \ds ago 77 ms$/);
});

test('a refusal in its words', async () => {
  open({ [`${LIST}/market.listing/run`]: refuse(409, 'market.listing is under way already', 'conflict') });
  await userEvent.click(await button(/^market\.listing/, 'Run now'));
  expect((await within(await row(/^market\.listing/)).findByRole('alert')).textContent).toBe(
    'market.listing is under way already',
  );
});

test('a run that failed: its payload, its error, and Retry', async () => {
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
  expect(await screen.findByText('market.backfill has been started anew')).toBeDefined();
  expect(await screen.findByText('No run has failed')).toBeDefined();
  expect(sent(path, 'POST')).toHaveLength(1);
});

test('a run that cannot be begun anew says why; more than are listed are counted', async () => {
  open({
    [FAILED]: answer({ runs: [RUN], total: 4120 }),
    [`${FAILED}/${RUN.id}/retry`]: refuse(409, 'This run has been started anew already', 'conflict'),
  });
  expect(await screen.findByText('newest 1 of 4,120', {}, LATE)).toBeDefined();
  await press('Retry');
  expect((await screen.findByRole('alert')).textContent).toBe('This run has been started anew already');
});

test('no answer, then Retry', async () => {
  let lost = true;
  open({ [LIST]: () => (lost ? broken() : Response.json(jobList())), [FAILED]: answer({ runs: [], total: 0 }) });
  expect(await screen.findByText('Failed to load admin data', {}, LATE)).toBeDefined();
  lost = false;
  await press('Retry');
  await row(/^market\.listing/);
});

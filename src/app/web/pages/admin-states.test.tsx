import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { deliveryOf } from '#features/notifications/web/notifications/fixtures.ts';
import { detailOf, entries, mails, users } from '#features/operations/web/admin/user-fixtures.ts';
import { analyses, summaries } from '#features/operations/web/collections/fixtures.ts';
import { jobList } from '#features/operations/web/jobs/fixtures.ts';
import { adminSources } from '#features/operations/web/sources/admin-fixtures.ts';
import { books } from '#features/payments/web/books/fixtures.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { LATE, press } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

/** The request of a tab and its text while loading, then the response to Retry and to Refresh, each with its text. */
type Case = readonly [
  tab: string,
  path: string,
  loading: string | null,
  first: readonly [unknown, string | RegExp],
  next: readonly [unknown, string | RegExp] | null,
];

const delivery = {
  ...deliveryOf(9, { state: 'failed', sentAt: null, latencyMs: null }),
  userId: 2,
  email: 'ann@x.org',
};
const mailList = (some: readonly unknown[]) => ({ mails: some, delivery: 'smtp', more: false });
const setting = {
  key: 'EXPORTS_PER_DAY',
  about: 'How many',
  kind: 'number',
  choices: [],
  default: '20',
  value: '20',
  isDefault: true,
  history: [],
};

const noMessages = { messages: [], counts: { new: 0, open: 0, settled: 0, spam: 0 }, more: false };
const ownUsers = summaries.filter(({ collection }) => collection === 'users');
const failed = { deliveries: [delivery], total: 1 };
const first = { audit: { entries: [], more: false }, incidents: { incidents: [], more: false } };

const CASES: readonly Case[] = [
  ['users', 'users', 'Loading User Management', [users, 'ann@example.com'], null],
  ['users&user=2', 'users/2', 'Loading User', [detailOf(), 'ann@example.com'], null],
  ['mail', 'mail', 'Loading emails', [mailList([]), 'No emails yet'], [mailList(mails), 'Confirm your address']],
  ['audit', 'audit', 'Loading the audit log', [first.audit, 'Nothing yet'], [{ entries, more: false }, 'Signed in']],
  [
    'deliveries',
    'deliveries',
    'Loading failed deliveries',
    [{ deliveries: [], total: 0 }, 'No failed deliveries'],
    [failed, 'Alert 9'],
  ],
  [
    'collections',
    'collections',
    'Loading Database Collections',
    [ownUsers, 'All records shown'],
    [summaries, 'No records yet'],
  ],
  ['ai', 'ai-analysis', 'Loading AI Analysis', [[], 'No analyses yet'], [analyses, 'Built-in analyst, no AI']],
  ['jobs', 'jobs', null, [jobList(), 'What market.listing does'], null],
  ['settings', 'settings', null, [{ settings: [setting] }, 'EXPORTS_PER_DAY'], null],
  ['sources', 'sources', null, [adminSources(), /^mempool/], null],
  ['payments', 'books', null, [books, 'Earned'], null],
  ['status', 'incidents', 'Loading incidents…', [first.incidents, 'No incidents'], null],
  ['messages', 'contact', 'Loading messages…', [noMessages, 'No messages'], null],
];

test.each(CASES)(
  "%s: loading, 'Failed to load admin data' with Retry, results of Retry and Refresh",
  async (tab, path, loading, brought, next) => {
    const waiting = Promise.withResolvers<void>();
    let reply: Answer = () => waiting.promise.then(broken);
    openSignedIn({
      at: `/app/admin?tab=${tab}`,
      plan: 'admin',
      calls: {
        '/api/admin/jobs/failed': answer({ runs: [], total: 0 }),
        '/api/admin/suspense': answer([]),
        '/api/admin/payments': answer({ payments: [], more: false }),
        [`/api/admin/${path}`]: (...call) => reply(...call),
      },
    });
    await screen.findByRole('main', {}, LATE);
    if (loading) expect(await screen.findByText(loading, {}, LATE)).toBeDefined();
    waiting.resolve();
    expect((await screen.findByRole('alert', {}, LATE)).textContent).toContain('Failed to load admin data');
    reply = answer(brought[0]);
    await press('Retry');
    expect((await screen.findAllByText(brought[1], {}, LATE)).length).toBeGreaterThan(0);
    expect(screen.queryByRole('alert')).toBeNull();
    if (!next) return;
    reply = answer(next[0]);
    await userEvent.click(within(screen.getByRole('main')).getByRole('button', { name: 'Refresh' }));
    expect((await screen.findAllByText(next[1])).length).toBeGreaterThan(0);
  },
);

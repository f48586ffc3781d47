import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { sessions } from '#features/accounts/web/auth/security/fixtures.ts';
import { subscriptionOf } from '#features/accounts/web/subscriptions/fixtures.ts';
import { backtest } from '#features/analysis/web/predictions/fixtures.ts';
import { openApi } from '#features/api/web/api/fixtures.ts';
import { keyOf } from '#features/api/web/api-keys/fixtures.ts';
import { events } from '#features/events/web/fixtures.ts';
import { scheduledOf, statisticsOf } from '#features/exports/web/exports/fixtures.ts';
import { latencyOf, preferencesOf } from '#features/notifications/web/notifications/fixtures.ts';
import { billingOf } from '#features/payments/web/billing/billing-fixtures.ts';
import { aboutOf } from '#features/site/web/legal/fixtures.ts';
import type { Plan } from '#shared/contract.ts';
import { type Answer, answer, broken } from '#ui/testing/answers.ts';
import { LATE } from '../testing/acts.ts';
import { openSignedIn } from '../testing/signed-in.tsx';

/** A page, its user and its request; its text while loading and on failure; the response to Retry, and its text. */
type Case = readonly [asked: string, said: string, brought: unknown, words: string];

const none = { errors: 0, times: 0 };
const noErrors = {
  errors: [],
  counts: { all: none, api_failure: none, data_collection: none, authentication: none, system: none, other: none },
  next: null,
};
const noHistory = {
  type: 'CRYPTO_PRICE',
  symbols: [],
  records: [],
  nextCursor: null,
  limitedToDays: null,
  reason: null,
};
const preferences = { preferences: preferencesOf() };

const CASES: readonly Case[] = [
  ['events free events', 'Loading upcoming events... | Failed to load events', events, 'US CPI, October'],
  [
    'history pro history/CRYPTO_PRICE',
    'Loading historical data | Failed to load historical data',
    noHistory,
    'No historical data',
  ],
  [
    'about free about',
    'Loading This Server | Failed to load the collection schedule',
    aboutOf(),
    'Weekdays 9-17 UTC: hourly',
  ],
  ['api free openapi.json', 'Failed to load the API reference', openApi, 'Market'],
  ['track-record free backtest', 'Failed to load the track record', backtest, 'Models in use'],
  [
    'profile free subscription',
    'Loading Profile | Failed to load profile data',
    subscriptionOf('free'),
    'Member since',
  ],
  [
    'profile?tab=subscription pro billing',
    'Loading Billing Information | Failed to load billing information',
    billingOf(),
    'No payments yet',
  ],
  ['profile?tab=security free auth/sessions', 'Failed to load your sessions', { sessions }, 'Chrome on Linux'],
  ['profile?tab=api-keys pro keys', 'Loading API Keys | Failed to load your API keys', [keyOf()], 'Trading bot'],
  [
    'profile?tab=notifications pro notifications/preferences',
    'Loading Notifications | Failed to load notification preferences',
    preferences,
    'Changes are saved automatically.',
  ],
  [
    'profile?tab=notifications pro notifications/deliveries',
    'Failed to load your deliveries',
    { deliveries: [] },
    'Nothing sent yet',
  ],
  [
    'profile?tab=notifications pro notifications/latency',
    'Couldn’t load delivery times.',
    latencyOf(),
    'not measured yet',
  ],
  ['data-export pro exports/statistics', 'Failed to load your statistics', statisticsOf(), 'Total exports'],
  [
    'advanced-export premium exports/scheduled',
    'Failed to load your scheduled exports',
    [scheduledOf()],
    'Daily export of crypto prices',
  ],
  [
    'errors admin errors',
    'Loading error logs | Failed to load error logs. Please try again.',
    noErrors,
    'No Errors Found',
  ],
];

test.each(CASES)('/app/%s: %s in place, and Retry loads it', async (asked, said, brought, words) => {
  const [at, plan, path] = asked.split(' ') as [string, Plan, string];
  const [failed = '', loading] = said.split(' | ').toReversed();
  const waiting = Promise.withResolvers<void>();
  let reply: Answer = () => waiting.promise.then(broken);
  openSignedIn({
    at: `/app/${at}`,
    plan,
    calls: {
      '/api/notifications/preferences': answer(preferences),
      '/api/exports/history': answer([]),
      [`/api/${path}`]: (...call) => reply(...call),
    },
  });
  if (loading) expect(await screen.findByText(loading, {}, LATE)).toBeDefined();
  waiting.resolve();
  const alert = (await screen.findByText(failed, {}, LATE)).closest<HTMLElement>('[role=alert]');
  reply = answer(brought);
  await userEvent.click(within(alert as HTMLElement).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.getAllByText(words).length).toBeGreaterThan(0), LATE);
  expect(screen.queryByText(failed)).toBeNull();
});

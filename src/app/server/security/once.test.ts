import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import { MAX_KEYS } from '#features/api/contract/api-keys.ts';
import { MAX_WEBHOOKS } from '#features/notifications/contract/webhooks.ts';
import {
  contactRequest,
  fromOwnNetwork,
  newChallenge,
  type RequestSpec,
  sendConcurrently,
} from '#tests/support/concurrent.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { rule } from '#tests/support/own-rules.ts';
import { createTwoFactorUser, startSignIn } from '#tests/support/passkey.ts';
import { registerUser, sendRequest, type TestUser } from '#tests/support/people.ts';
import { SCHEDULE } from '#tests/support/schedules.ts';

/** More calls than the maximum allowed, half of them to each process. */
const OVER = 6;

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });
let products: Product[];
beforeAll(async () => {
  await s.job('market.listing');
  products = [s.product, await s.another()];
});

const COUNTS: [what: string, most: number, make: (who: TestUser) => (n: number) => RequestSpec][] = [
  [
    'webhooks',
    MAX_WEBHOOKS,
    ({ token }) =>
      (n) => ({
        url: '/api/webhooks',
        body: { name: `Hook ${n}`, url: 'https://hooks.example.com/x', format: 'generic' },
        token,
      }),
  ],
  [
    'API keys',
    MAX_KEYS,
    ({ token }) =>
      (n) => ({ url: '/api/keys', body: { name: `Key ${n}` }, token }),
  ],
  [
    'schedules',
    20,
    ({ token }) =>
      () => ({ url: '/api/exports/schedule', body: SCHEDULE, token }),
  ],
];

describe('account quotas hold under concurrent calls', () => {
  test.each(COUNTS)('%s: %i', async (what, most, make) => {
    const who = await registerUser(s, `has-${what.replaceAll(' ', '-').toLowerCase()}`, 'premium');
    const answers = await sendConcurrently(products, most + OVER, fromOwnNetwork(make(who)));
    const codes = answers.map(({ statusCode }) => statusCode);
    expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 409).length]).toEqual([
      most,
      OVER,
    ]);
  });

  test('rules: up to the plan limit', async () => {
    const { token, get } = await registerUser(s, 'rules', 'pro');
    const most = PLAN_LIMITS.pro.alertRules;
    const call = fromOwnNetwork((n) => ({
      url: '/api/alerts/thresholds/rules',
      body: rule({ name: `Rule ${n}` }),
      token,
    }));
    const answers = await sendConcurrently(products, most + OVER, call);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(most);
    expect((await get('/api/alerts/thresholds')).json<unknown[]>()).toHaveLength(most);
  });
});

describe('single-use items count once under concurrent calls', () => {
  test('a contact form question', async () => {
    const sum = await newChallenge(s);
    const answers = await sendConcurrently(
      products,
      5,
      fromOwnNetwork(() => contactRequest(sum)),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400]);
  });

  test('a second-factor code', async () => {
    const { email, backupCodes } = await createTwoFactorUser(s, 'twice');
    const challenges = await Promise.all([startSignIn(s, email), startSignIn(s, email), startSignIn(s, email)]);
    const answers = await sendConcurrently(
      products,
      3,
      fromOwnNetwork((n) => ({
        url: '/api/auth/two-factor',
        body: { challenge: challenges[n], code: backupCodes[0] },
      })),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('a stream ticket', async () => {
    const { token } = await registerUser(s, 'streams');
    const { ticket } = (await sendRequest(s, 'POST', '/api/stream/ticket', {}, { token })).json<{ ticket: string }>();
    const url = `/api/stream?topics=none&ticket=${ticket}`;
    const answers = await sendConcurrently(
      products,
      4,
      fromOwnNetwork(() => ({ method: 'GET', url })),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([400, 401, 401, 401]);
  });
});

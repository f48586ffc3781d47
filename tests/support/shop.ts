import { CompiledQuery } from 'kysely';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Product } from '#app/server/product.ts';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { creditBalance } from '#features/payments/server/billing/service.ts';

import { PASSWORD, sendRequest, type TestUser, userWithToken } from './people.ts';
import { start, type TestProduct } from './start.ts';

export const DAY_MS = 86_400_000;
export const SECRET = 'whsec_demo';
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_demo', STRIPE_WEBHOOK_SECRET: SECRET };
const signer = new Stripe('sk_test_signer');

export type Event = { id: string; type: string; created: number; data: { object: Record<string, unknown> } };
type DeliveryOptions = { secret?: string; ageSeconds?: number; header?: string; raw?: string; at?: Product };

type Response = Awaited<ReturnType<Product['app']['inject']>>;

/** A product that accepts cards, with the card service's webhooks controlled by the test. */
export type Shop = {
  s: TestProduct;
  /** A raw call to the API of the card service. */
  api: (method: string, path: string, form?: Record<string, string>) => Promise<Record<string, unknown>>;
  switches: (form: Record<string, string>) => Promise<void>;
  /** Events since the last call, oldest first. */
  newEvents: () => Promise<Event[]>;
  deliver: (event: Event, options?: DeliveryOptions) => Promise<Response>;
  /** Delivers all pending events. */
  deliverPending: () => Promise<Event[]>;
  /** Clicks a button of the hosted page; returns its redirect. */
  press: (url: string, act: string, more?: Record<string, string>) => Promise<string | null>;
  /** Clicks a button of the portal. */
  portal: (user: TestUser, act: string, more?: Record<string, string>) => Promise<void>;
  /** Requests a checkout, from another process if given. */
  order: (user: TestUser, planId: string, months?: number, at?: Product) => Promise<Response>;
  checkoutUrl: (...order: Parameters<Shop['order']>) => Promise<string>;
  readSession: (url: string) => Promise<Record<string, unknown>>;
  buy: (user: TestUser, planId: string, months?: number) => Promise<string>;
  /** These act, then deliver the events that follow. */
  payAndDeliver: (url: string) => Promise<Event[]>;
  buyAndDeliver: (...order: Parameters<Shop['buy']>) => Promise<Event[]>;
  manageAndDeliver: (...act: Parameters<Shop['portal']>) => Promise<Event[]>;
  advanceAndDeliver: (ms: number) => Promise<Event[]>;
};

export async function openShop(env: Record<string, string> = {}, at?: Date): Promise<Shop> {
  const s = await start({
    env: { ...KEYS, EMAIL_CONFIRMATION: 'off', PUBLIC_URL: 'http://127.0.0.1:9', ...env },
    ...(at ? { at } : {}),
  });
  const base = s.sandbox.urls['STRIPE_API_BASE'] as string;
  const knownIds = new Set<string>();

  async function api(method: string, path: string, form: Record<string, string> = {}) {
    const query = new URLSearchParams(form).toString();
    const response = await fetch(`${base}/v1/${path}${method === 'GET' && query ? `?${query}` : ''}`, {
      method,
      headers: { authorization: 'Bearer sk_test_demo' },
      ...(method === 'POST' ? { body: query } : {}),
    });
    return (await response.json()) as Record<string, unknown>;
  }
  const post = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

  async function newEvents() {
    const { data } = (await api('GET', 'events', { limit: '1000' })) as { data: Event[] };
    const unseen = data.filter(({ id }) => !knownIds.has(id)).toReversed();
    for (const { id } of unseen) knownIds.add(id);
    return unseen;
  }

  async function deliver(event: Event, { secret = SECRET, ageSeconds = 0, header, raw, at: to }: DeliveryOptions = {}) {
    const payload = JSON.stringify(event);
    const timestamp = Math.floor(s.clock.now().getTime() / 1000) - ageSeconds;
    const signature = header ?? signer.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return (to ?? s.product).app.inject({
      method: 'POST',
      url: '/api/stripe/webhook',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: raw ?? payload,
    });
  }

  const shop: Shop = {
    s,
    api,
    newEvents,
    deliver,
    async switches(form) {
      await post(`${base}/switches`, form);
    },
    async deliverPending() {
      const events = await newEvents();
      for (const event of events) expect((await deliver(event)).statusCode).toBe(200);
      return events;
    },
    press: async (url, act, more = {}) => (await post(url, { act, ...more })).headers.get('location'),
    async portal(user, act, more = {}) {
      const { url } = (await user.post('/api/subscribe/portal')).json<{ url: string }>();
      await post(url, { act, ...more });
    },
    order: (user, planId, months = 1, product = s.product) =>
      sendRequest({ ...s, product }, 'POST', '/api/subscribe/stripe', { planId, months }, { token: user.token }),
    checkoutUrl: async (...order) => (await shop.order(...order)).json<{ url: string }>().url,
    readSession: (url) => api('GET', `checkout/sessions/${url.split('/').at(-1)}`),
    async buy(user, planId, months = 1) {
      const response = await shop.order(user, planId, months);
      expect(response.json()).toMatchObject({ success: true });
      const { url } = response.json<{ url: string }>();
      await shop.press(url, 'succeed');
      return url;
    },
    async payAndDeliver(url) {
      await shop.press(url, 'succeed');
      return shop.deliverPending();
    },
    async buyAndDeliver(...order) {
      await shop.buy(...order);
      return shop.deliverPending();
    },
    async manageAndDeliver(...act) {
      await shop.portal(...act);
      return shop.deliverPending();
    },
    advanceAndDeliver(ms) {
      s.advance(ms);
      return shop.deliverPending();
    },
  };
  await shop.switches({ lose: '1' });
  await newEvents();
  return shop;
}

/** One shop for all tests of a file. */
export function fileShop(...args: Parameters<typeof openShop>): Shop {
  const shop = {} as Shop;
  beforeAll(async () => {
    Object.assign(shop, await openShop(...args));
  });
  afterAll(() => shop.s.stop());
  return shop;
}

/** A new session: one from a month ago has expired. */
export async function signInAgain(s: TestProduct, user: TestUser): Promise<TestUser> {
  const response = await sendRequest(s, 'POST', '/api/auth/login', { email: user.email, password: PASSWORD });
  expect(response.statusCode).toBe(200);
  return userWithToken(s, response.json<{ token: string }>().token, user);
}

export async function readSubscription(user: TestUser): Promise<Subscription> {
  return (await user.get('/api/subscription')).json<Subscription>();
}

/** Rows in the tables of a shop. */
export async function queryRows<T>(s: TestProduct, text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await s.product.auth.ctx.db.executeQuery(CompiledQuery.raw(text, [...values]));
  return rows as T[];
}

type Grant = { source: string; plan: string; units: number; months: number };
export const readGrants = (s: TestProduct, { id }: TestUser): Promise<Grant[]> =>
  queryRows(s, 'select source, plan, units, months from plan_grants where user_id = $1 order by id', [id]);
type Invoice = { id: string; status: string; units_paid: number };
export const readInvoices = (s: TestProduct, { id }: TestUser): Promise<Invoice[]> =>
  queryRows(s, 'select id, status, units_paid from card_invoices where user_id = $1 order by created_at', [id]);
type CardSubscription = { id: string; plan: string; status: string };
export const readSubscriptions = (s: TestProduct, { id }: TestUser): Promise<CardSubscription[]> =>
  queryRows(s, 'select id, plan, status from card_subscriptions where user_id = $1 order by created_at', [id]);

export async function readCredit(s: TestProduct, { id }: TestUser): Promise<bigint> {
  return creditBalance(s.product.auth.ctx.db, id);
}

/** The books balance, no credit is negative, and card income equals revenue, credit and suspense. */
export async function auditAccounts(s: TestProduct): Promise<Record<string, number>> {
  const rows = await queryRows<{ account: string; sum: number }>(
    s,
    'select account, sum(units)::bigint as sum from postings group by account',
  );
  const accounts = Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
  expect(Object.values(accounts).reduce((a, b) => a + b, 0)).toBe(0);
  for (const [account, sum] of Object.entries(accounts))
    if (account.startsWith('credit:')) expect(sum).toBeLessThanOrEqual(0);
  return accounts;
}

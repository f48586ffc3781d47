import { CompiledQuery } from 'kysely';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Product } from '#app/server/product.ts';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { creditBalance } from '#features/payments/server/billing/service.ts';

import { ask, PASSWORD, type Person, personWith } from './people.ts';
import { type Started, start } from './start.ts';

export const DAY_MS = 86_400_000;
export const SECRET = 'whsec_demo';
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_demo', STRIPE_WEBHOOK_SECRET: SECRET };
const signer = new Stripe('sk_test_signer');

export type Event = { id: string; type: string; created: number; data: { object: Record<string, unknown> } };
type Delivery = { secret?: string; ageSeconds?: number; header?: string; raw?: string; at?: Product };

type Answer = Awaited<ReturnType<Product['app']['inject']>>;

/** A product that accepts cards, with the card service's webhooks controlled by the test. */
export type Shop = {
  s: Started;
  /** A raw call to the API of the card service. */
  api: (method: string, path: string, form?: Record<string, string>) => Promise<Record<string, unknown>>;
  switches: (form: Record<string, string>) => Promise<void>;
  /** Events since the last call, oldest first. */
  fresh: () => Promise<Event[]>;
  deliver: (event: Event, how?: Delivery) => Promise<Answer>;
  /** Delivers all pending events. */
  catchUp: () => Promise<Event[]>;
  /** Clicks a button of the hosted page; returns its redirect. */
  press: (url: string, act: string, more?: Record<string, string>) => Promise<string | null>;
  /** Clicks a button of the portal. */
  portal: (who: Person, act: string, more?: Record<string, string>) => Promise<void>;
  /** Requests a checkout, from another process if given. */
  order: (who: Person, planId: string, months?: number, at?: Product) => Promise<Answer>;
  urlOf: (...order: Parameters<Shop['order']>) => Promise<string>;
  sessionOf: (url: string) => Promise<Record<string, unknown>>;
  buy: (who: Person, planId: string, months?: number) => Promise<string>;
  /** These act, then deliver the events that follow. */
  paid: (url: string) => Promise<Event[]>;
  bought: (...order: Parameters<Shop['buy']>) => Promise<Event[]>;
  managed: (...act: Parameters<Shop['portal']>) => Promise<Event[]>;
  later: (ms: number) => Promise<Event[]>;
};

export async function openShop(env: Record<string, string> = {}, at?: Date): Promise<Shop> {
  const s = await start({
    env: { ...KEYS, EMAIL_CONFIRMATION: 'off', PUBLIC_URL: 'http://127.0.0.1:9', ...env },
    ...(at ? { at } : {}),
  });
  const base = s.sandbox.urls['STRIPE_API_BASE'] as string;
  const known = new Set<string>();

  async function api(method: string, path: string, form: Record<string, string> = {}) {
    const query = new URLSearchParams(form).toString();
    const answer = await fetch(`${base}/v1/${path}${method === 'GET' && query ? `?${query}` : ''}`, {
      method,
      headers: { authorization: 'Bearer sk_test_demo' },
      ...(method === 'POST' ? { body: query } : {}),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
  const post = (url: string, form: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

  async function fresh() {
    const { data } = (await api('GET', 'events', { limit: '1000' })) as { data: Event[] };
    const news = data.filter(({ id }) => !known.has(id)).toReversed();
    for (const { id } of news) known.add(id);
    return news;
  }

  async function deliver(event: Event, { secret = SECRET, ageSeconds = 0, header, raw, at: to }: Delivery = {}) {
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
    fresh,
    deliver,
    async switches(form) {
      await post(`${base}/switches`, form);
    },
    async catchUp() {
      const events = await fresh();
      for (const event of events) expect((await deliver(event)).statusCode).toBe(200);
      return events;
    },
    press: async (url, act, more = {}) => (await post(url, { act, ...more })).headers.get('location'),
    async portal(who, act, more = {}) {
      const { url } = (await who.post('/api/subscribe/portal')).json<{ url: string }>();
      await post(url, { act, ...more });
    },
    order: (who, planId, months = 1, product = s.product) =>
      ask({ ...s, product }, 'POST', '/api/subscribe/stripe', { planId, months }, { token: who.token }),
    urlOf: async (...order) => (await shop.order(...order)).json<{ url: string }>().url,
    sessionOf: (url) => api('GET', `checkout/sessions/${url.split('/').at(-1)}`),
    async buy(who, planId, months = 1) {
      const answer = await shop.order(who, planId, months);
      expect(answer.json()).toMatchObject({ success: true });
      const { url } = answer.json<{ url: string }>();
      await shop.press(url, 'succeed');
      return url;
    },
    async paid(url) {
      await shop.press(url, 'succeed');
      return shop.catchUp();
    },
    async bought(...order) {
      await shop.buy(...order);
      return shop.catchUp();
    },
    async managed(...act) {
      await shop.portal(...act);
      return shop.catchUp();
    },
    later(ms) {
      s.advance(ms);
      return shop.catchUp();
    },
  };
  await shop.switches({ lose: '1' });
  await fresh();
  return shop;
}

/** One shop for all tests of a file. */
export function fileShop(...given: Parameters<typeof openShop>): Shop {
  const shop = {} as Shop;
  beforeAll(async () => {
    Object.assign(shop, await openShop(...given));
  });
  afterAll(() => shop.s.stop());
  return shop;
}

/** A new session: one from a month ago has expired. */
export async function back(s: Started, who: Person): Promise<Person> {
  const answer = await ask(s, 'POST', '/api/auth/login', { email: who.email, password: PASSWORD });
  expect(answer.statusCode).toBe(200);
  return personWith(s, answer.json<{ token: string }>().token, who);
}

export async function standing(who: Person): Promise<Subscription> {
  return (await who.get('/api/subscription')).json<Subscription>();
}

/** Rows in the tables of a shop. */
export async function rowsOf<T>(s: Started, text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await s.product.auth.ctx.db.executeQuery(CompiledQuery.raw(text, [...values]));
  return rows as T[];
}

type Grant = { source: string; plan: string; units: number; months: number };
export const grantsOf = (s: Started, { id }: Person): Promise<Grant[]> =>
  rowsOf(s, 'select source, plan, units, months from plan_grants where user_id = $1 order by id', [id]);
type Invoice = { id: string; status: string; units_paid: number };
export const invoicesOf = (s: Started, { id }: Person): Promise<Invoice[]> =>
  rowsOf(s, 'select id, status, units_paid from card_invoices where user_id = $1 order by created_at', [id]);
type Subscribed = { id: string; plan: string; status: string };
export const subscriptionsOf = (s: Started, { id }: Person): Promise<Subscribed[]> =>
  rowsOf(s, 'select id, plan, status from card_subscriptions where user_id = $1 order by created_at', [id]);

export async function creditOf(s: Started, { id }: Person): Promise<bigint> {
  return creditBalance(s.product.auth.ctx.db, id);
}

/** The books balance, no credit is negative, and card income equals revenue, credit and suspense. */
export async function audited(s: Started): Promise<Record<string, number>> {
  const rows = await rowsOf<{ account: string; sum: number }>(
    s,
    'select account, sum(units)::bigint as sum from postings group by account',
  );
  const accounts = Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
  expect(Object.values(accounts).reduce((a, b) => a + b, 0)).toBe(0);
  for (const [account, sum] of Object.entries(accounts))
    if (account.startsWith('credit:')) expect(sum).toBeLessThanOrEqual(0);
  return accounts;
}

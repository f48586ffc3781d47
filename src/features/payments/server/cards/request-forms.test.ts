import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Form, parseForm } from '#sandbox/providers/stripe-types.ts';

import { registerUser } from '#tests/support/people.ts';
import { openShop, type Shop } from '#tests/support/shop.ts';

type Schema = {
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  maxLength?: number;
};
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
type Sent = { method: string; path: string; form: Form };

const DIR = process.env['RECORDINGS_DIR'] ?? resolve(import.meta.dirname, '../../../../../../shared/data');
const FILE = resolve(DIR, 'stripe/spec3-2022-04-12.json');
if (!existsSync(FILE))
  process.stdout.write(`The published forms of Stripe are not at ${FILE}: that test is left out\n`);
/** Newer than the published form available here. */
const YOUNGER = new Set(['/allowed_payment_method_types']);

let shop: Shop;
const sent: Sent[] = [];
/** A proxy before the card service that records its requests. */
const listener = createServer((request, response) => {
  void (async () => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    sent.push({ method: request.method ?? '', path: url.pathname, form: parseForm(body || url.searchParams) });
    const answer = await fetch(`${shop.s.sandbox.urls['STRIPE_API_BASE']}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        ['authorization', 'idempotency-key', 'content-type'].flatMap((name) =>
          typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [],
        ),
      ),
      ...(request.method === 'POST' ? { body } : {}),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  })();
});

beforeAll(async () => {
  await new Promise<void>((done) => {
    listener.listen(0, '127.0.0.1', done);
  });
  shop = await openShop({
    STRIPE_API_BASE: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    FIRST_MONTH_DISCOUNT: '20',
  });
});
afterAll(async () => {
  await shop.s.stop();
  listener.close();
});

/** Mismatches as 'place: reason'. */
function misfits(schema: Schema, value: unknown, place: string): string[] {
  if (YOUNGER.has(place)) return [];
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => misfits(one, value, place));
    return each.some((list) => list.length === 0) ? [] : (each[0] ?? []);
  }
  if (schema.type === 'array')
    return Array.isArray(value)
      ? value.flatMap((one, i) => misfits(schema.items ?? {}, one, `${place}/${i}`))
      : [`${place}: no list`];
  if (schema.type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place}: no object`];
    const missing = (schema.required ?? [])
      .filter((name) => !(name in value))
      .map((name) => `${place}/${name}: missing`);
    const each = Object.entries(value).flatMap(([name, one]) => {
      const own = schema.properties?.[name] ?? (schema.additionalProperties || undefined);
      if (own === undefined && !YOUNGER.has(`${place}/${name}`)) return [`${place}/${name}: unknown`];
      return misfits(typeof own === 'object' ? own : {}, one, `${place}/${name}`);
    });
    return [...missing, ...each];
  }
  if (schema.type === undefined) return [];
  if (typeof value !== 'string') return [`${place}: no text`];
  if (schema.enum && !schema.enum.includes(value)) return [`${place}: ${value} is none of ${schema.enum.join(', ')}`];
  if (schema.type === 'integer' && !/^-?\d+$/.test(value)) return [`${place}: no integer`];
  if (schema.type === 'boolean' && !/^(true|false)$/.test(value)) return [`${place}: no boolean`];
  if (schema.maxLength !== undefined && value.length > schema.maxLength) return [`${place}: too long`];
  return [];
}

test.skipIf(!existsSync(FILE))('every request body sent to Stripe matches the form Stripe has published', async () => {
  const { paths } = JSON.parse(readFileSync(FILE, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  const ann = await registerUser(shop.s, 'ann');
  await shop.buyAndDeliver(ann, 'pro');
  await ann.post('/api/subscribe/portal');
  await ann.post('/api/subscribe/cancel');
  await ann.post('/api/subscribe/resume');
  shop.s.advance(86_400_000);
  const stale = await ann.post('/api/subscribe/stripe', { planId: 'premium', months: 3 });
  expect(stale.statusCode).toBe(200);
  await shop.buyAndDeliver(ann, 'premium', 1);
  shop.s.advance(1000);
  await shop.buyAndDeliver(ann, 'pro', 12);
  await shop.s.job('cards.reconcile');
  const checked = new Set<string>();
  for (const { method, path, form } of sent) {
    const found = Object.entries(paths).find(
      ([pattern, operations]) =>
        method.toLowerCase() in operations && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (method === 'GET' || !found) continue;
    const content = found[1][method.toLowerCase()]?.requestBody?.content ?? {};
    const schema = content['application/x-www-form-urlencoded']?.schema;
    expect(misfits(schema ?? {}, form, ''), `${method} ${path}`).toEqual([]);
    checked.add(`${method} ${found[0]}`);
  }
  expect([...checked].toSorted()).toEqual([
    'DELETE /v1/subscriptions/{subscription_exposed_id}',
    'POST /v1/billing_portal/sessions',
    'POST /v1/checkout/sessions',
    'POST /v1/checkout/sessions/{session}/expire',
    'POST /v1/coupons',
    'POST /v1/customers',
    'POST /v1/subscriptions/{subscription_exposed_id}',
  ]);
});

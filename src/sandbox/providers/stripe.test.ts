import { beforeAll, expect, test } from 'vitest';

import { fileSandbox } from '#tests/support/for-file.ts';

import { parseForm } from './stripe-types.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

const sandbox = fileSandbox(NOW);
let base: string;
beforeAll(async () => {
  base = sandbox.urls['STRIPE_API_BASE'] as string;
});

type Sent = { method?: string; form?: Record<string, string>; key?: string; bearer?: string };

async function call(path: string, { method = 'POST', form = {}, key, bearer = 'sk_test_x' }: Sent = {}) {
  const answer = await fetch(`${base}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(key ? { 'idempotency-key': key } : {}) },
    ...(method === 'POST' ? { body: new URLSearchParams(form) } : {}),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, body, replayed: answer.headers.get('idempotent-replayed') };
}

test('bodies are parsed as by Stripe', () => {
  expect(parseForm('a[b][0][c]=d&a[b][1][c]=e&f=g&h[10]=i')).toEqual({
    a: { b: [{ c: 'd' }, { c: 'e' }] },
    f: 'g',
    h: { 10: 'i' },
  });
});

test('an idempotency key returns the same response again and rejects another body', async () => {
  const first = await call('customers', { form: { email: 'a@b.example' }, key: 'one' });
  const again = await call('customers', { form: { email: 'a@b.example' }, key: 'one' });
  expect(again.body).toEqual(first.body);
  expect(again.replayed).toBe('true');
  const other = await call('customers', { form: { email: 'c@d.example' }, key: 'one' });
  expect([other.status, other.body]).toMatchObject([400, { error: { type: 'idempotency_error' } }]);
});

test('errors have the shape that its client reads', async () => {
  const session = { mode: 'subscription', success_url: 'http://127.0.0.1/', customer: 'cus_none' };
  expect(await call('customers', { bearer: 'pk_live_x' })).toMatchObject({ status: 401 });
  expect(await call('checkout/sessions', { form: { mode: 'subscription' } })).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'parameter_missing', param: 'customer' } },
  });
  expect(await call('checkout/sessions', { form: session })).toMatchObject({
    status: 400,
    body: { error: { code: 'resource_missing', param: 'customer' } },
  });
  expect(await call('subscriptions/sub_none', { method: 'GET' })).toMatchObject({
    status: 404,
    body: { error: { code: 'resource_missing' } },
  });
  expect(await call('payment_links')).toMatchObject({ status: 404, body: { error: { code: 'resource_missing' } } });
});

test('the hosted checkout and the portal are pages with buttons', async () => {
  const { body: customer } = await call('customers', { form: { email: 'a@b.example' } });
  const { body: session } = await call('checkout/sessions', {
    form: {
      mode: 'subscription',
      customer: String(customer['id']),
      success_url: 'http://127.0.0.1:9/done',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '2999',
      'line_items[0][price_data][product_data][name]': 'Pro <1 month>',
      'line_items[0][price_data][recurring][interval]': 'month',
    },
  });
  const page = await fetch(String(session['url']));
  const text = await page.text();
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const act of ['succeed', 'decline', 'cancel', 'switches']) expect(text).toContain(`value="${act}"`);
  expect(text).toContain('Pro &lt;1 month&gt;');
  const press = (act: string) =>
    fetch(String(session['url']), { method: 'POST', body: new URLSearchParams({ act }), redirect: 'manual' });
  expect(await (await press('decline')).text()).toContain('Your card was declined.');
  expect((await press('succeed')).headers.get('location')).toBe('http://127.0.0.1:9/done');
  expect(await (await press('succeed')).text()).toContain('This checkout is paid');
  const { body: portal } = await call('billing_portal/sessions', { form: { customer: String(customer['id']) } });
  const shown = await (await fetch(String(portal['url']))).text();
  for (const act of ['good', 'refused', 'cancel', 'renew', 'refund', 'partial', 'dispute'])
    expect(shown).toContain(`value="${act}"`);
});

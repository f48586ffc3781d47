import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Started, start } from '#tests/support/start.ts';

let s: Started;

beforeAll(async () => {
  s = await start({ mode: 'demo' });
});
afterAll(() => s.stop());

const post = (url: string, payload?: object, token?: string) =>
  s.product.app.inject({
    method: 'POST',
    url,
    ...(payload ? { payload } : {}),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

test('first', async () => {
  const r = await post('/api/auth/register', { email: ' Ann@x.io', password: 'correct horse battery' });
  console.log(r.statusCode, r.json());
  const mail = await s.get(r.json().demoMail);
  const link = /href="([^"]*confirm-email[^"]*)"/.exec(mail.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  console.log(link, mail.statusCode, mail.body.slice(0, 3000));
  const c = await s.get(new URL(link).pathname + new URL(link).search);
  console.log(c.statusCode, c.headers.location);
  const l = await post('/api/auth/login', { email: 'ann@x.io', password: 'correct horse battery' });
  console.log(l.json());
  console.log((await s.get('/api/subscription', { authorization: `Bearer ${l.json().token}` })).json());
  const t = await post('/api/stream/ticket', {}, l.json().token);
  console.log(t.json());
});

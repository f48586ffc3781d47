import { readFileSync, statSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { dataDir, spawnProduct, startAndServe, useProcesses, waitForExit } from '#tests/support/processes.ts';
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts';

useProcesses();

let sink: SmtpSink;
beforeEach(async () => {
  sink = await startSmtpSink();
});
afterEach(() => sink.down());

test('a sign-up is emailed immediately and its link confirms; no secret is printed; another key is rejected', async () => {
  const product = await startAndServe({ SMTP_URL: sink.url, MAIL_FROM: 'mail@meridian.test', LOG_LEVEL: 'trace' });
  const joined = await fetch(`${product.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com', password: 'a password of some length 1' }),
  });
  expect(await joined.json()).toEqual({ requiresConfirmation: true, email: 'ann@example.com' });
  await expect.poll(() => sink.emails.length, { timeout: 30_000 }).toBe(1);
  const [mail] = sink.emails;
  expect(mail).toMatchObject({ rcptTo: ['ann@example.com'], subject: 'Confirm your email address' });
  const [link = ''] = /https?:\/\/\S+token=\S+/.exec(mail?.text ?? '') ?? [];
  expect(mail?.html).toContain(link);
  const confirmed = await fetch(`${product.url}/api/auth/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: new URL(link).searchParams.get('token') }),
  });
  expect(await confirmed.json()).toEqual({ email: 'ann@example.com', token: expect.any(String) });

  const key = readFileSync(`${dataDir}/secret.key`, 'utf8').trim();
  expect(statSync(`${dataDir}/secret.key`).mode & 0o777).toBe(0o600);
  const token = new URL(link).searchParams.get('token') ?? '';
  for (const secret of [key, token]) {
    expect(secret.length).toBeGreaterThan(30);
    expect(product.output()).not.toContain(secret);
  }
  product.kill('SIGTERM');
  expect(await waitForExit(product, 30_000)).toBe(0);

  const refused = spawnProduct({ SECRET_KEY: 'a secret key that this database does not know' });
  expect(await waitForExit(refused, 60_000)).toBe(1);
  expect(refused.output().trim()).toMatch(
    /^This database was created with another secret key \([0-9a-f]{16}, not [0-9a-f]{16}\)\. Start with the original SECRET_KEY or DATA_DIR\/secret\.key\.$/,
  );
});

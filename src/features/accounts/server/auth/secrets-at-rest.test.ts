import { expect, test } from 'vitest';

import { fileProduct } from '#tests/support/for-file.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { PASSWORD, sendRequest } from '#tests/support/people.ts';
import { dumpDatabase } from '#tests/support/rows.ts';

const NEXT = 'Fourth-Rivers-31!';
const email = 'ann@people.example';

const s = fileProduct({
  env: { EMAIL_CONFIRMATION: 'on', LOG_LEVEL: 'trace' },
  onLogLine: (line) => (written += line),
});
let written = '';

test('no password, session token, link or ticket appears in plain text in any table or in the log', async () => {
  const secrets = [PASSWORD, NEXT];
  const linkToken = async (kind: string) => {
    const mail = (await emailsTo(s, email)).findLast((each) => each.kind === kind);
    const token = mail?.links.map((link) => link.searchParams.get('token')).find(Boolean) ?? '';
    expect(token).toMatch(/^\w\w_/);
    secrets.push(token);
    return token;
  };
  await sendRequest(s, 'POST', '/api/auth/register', { email, password: PASSWORD });
  const confirmed = await sendRequest(s, 'POST', '/api/auth/confirm', { token: await linkToken('confirm') });
  const handed = confirmed.json<{ token: string }>().token;
  const exchanged = await sendRequest(s, 'POST', '/api/auth/exchange', { token: handed });
  secrets.push(handed, exchanged.json<{ token: string }>().token);
  const { token } = (await sendRequest(s, 'POST', '/api/auth/login', { email, password: PASSWORD })).json<{
    token: string;
  }>();
  secrets.push(token);
  const ticket = await sendRequest(s, 'POST', '/api/stream/ticket', undefined, { token });
  secrets.push(ticket.json<{ ticket: string }>().ticket);
  await sendRequest(s, 'POST', '/api/auth/forgot-password', { email });
  const reset = await linkToken('reset');
  // Errors are logged without them too.
  await sendRequest(s, 'POST', '/api/auth/confirm', { token: reset });
  await s.get(`/auth/confirm?token=${reset}`);
  await sendRequest(s, 'GET', `/api/stream?topics=prices&ticket=${reset}`, undefined, { token });
  await sendRequest(s, 'POST', '/api/auth/reset-password', { token: reset, newPassword: NEXT });

  const { report } = s.product.auth.ctx;
  report('auth', 'authentication', 'A link failed', { url: `/reset-password?token=${reset}`, password: NEXT });
  report('auth', 'authentication', 'A call failed', new Error(`GET /api/stream?ticket=${reset} Bearer ${token}`));
  await expect.poll(() => dumpDatabase(s)).toContain('A call failed');

  const stored = await dumpDatabase(s);
  expect(stored).toContain(email);
  expect(written).not.toBe('');
  expect(
    secrets.filter((secret) => stored.includes(secret) || stored.includes(Buffer.from(secret).toString('hex'))),
  ).toEqual([]);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

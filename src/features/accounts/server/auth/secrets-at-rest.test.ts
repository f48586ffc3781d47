import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase } from '#kernel/db.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { mailsTo } from '#tests/support/mailbox.ts';
import { ask, PASSWORD } from '#tests/support/people.ts';

const NEXT = 'Fourth-Rivers-31!';
const email = 'ann@people.example';

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'on', LOG_LEVEL: 'trace' }, heard: (line) => (written += line) });
let written = '';

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts: string[] = [];
  for (const { name } of rows) {
    const found = await sql<{ row: string }>`select t::text as row from ${sql.raw(name)} t`.execute(db);
    texts.push(...found.rows.map(({ row }) => row));
  }
  await close();
  return texts.join('\n');
}

test('no password, session token, link or ticket stands in any table or in the log', async () => {
  const secrets = [PASSWORD, NEXT];
  const linkToken = async (kind: string) => {
    const mail = (await mailsTo(s, email)).findLast((each) => each.kind === kind);
    const token = mail?.links.map((link) => link.searchParams.get('token')).find(Boolean) ?? '';
    expect(token).toMatch(/^\w\w_/);
    secrets.push(token);
    return token;
  };
  await ask(s, 'POST', '/api/auth/register', { email, password: PASSWORD });
  const confirmed = await ask(s, 'POST', '/api/auth/confirm', { token: await linkToken('confirm') });
  const handed = confirmed.json<{ token: string }>().token;
  const exchanged = await ask(s, 'POST', '/api/auth/exchange', { token: handed });
  secrets.push(handed, exchanged.json<{ token: string }>().token);
  const { token } = (await ask(s, 'POST', '/api/auth/login', { email, password: PASSWORD })).json<{ token: string }>();
  secrets.push(token);
  const ticket = await ask(s, 'POST', '/api/stream/ticket', undefined, { token });
  secrets.push(ticket.json<{ ticket: string }>().ticket);
  await ask(s, 'POST', '/api/auth/forgot-password', { email });
  const reset = await linkToken('reset');
  // Errors are logged without them too.
  await ask(s, 'POST', '/api/auth/confirm', { token: reset });
  await s.get(`/auth/confirm?token=${reset}`);
  await ask(s, 'GET', `/api/stream?topics=prices&ticket=${reset}`, undefined, { token });
  await ask(s, 'POST', '/api/auth/reset-password', { token: reset, newPassword: NEXT });

  const { report } = s.product.auth.ctx;
  report('auth', 'authentication', 'A link failed', { url: `/reset-password?token=${reset}`, password: NEXT });
  report('auth', 'authentication', 'A call failed', new Error(`GET /api/stream?ticket=${reset} Bearer ${token}`));
  await expect.poll(everything).toContain('A call failed');

  const stored = await everything();
  expect(stored).toContain(email);
  expect(written).not.toBe('');
  expect(
    secrets.filter((secret) => stored.includes(secret) || stored.includes(Buffer.from(secret).toString('hex'))),
  ).toEqual([]);
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
});

import { createHmac } from 'node:crypto';

import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unsubscribeToken } from '#features/notifications/server/email/unsubscribe.ts';
import { loadConfig } from '#kernel/config.ts';
import { openSecrets } from '#kernel/secrets.ts';
import { emailsTo } from '#tests/support/mailbox.ts';
import { startWithMail } from '#tests/support/mailed.ts';
import { codeAt, createTwoFactorUser, STEP_MS, startSignIn, type TwoFactorUser } from '#tests/support/passkey.ts';
import { registerUser, sendRequest, type TestUser, userWithToken } from '#tests/support/people.ts';
import { type Browser, createSubscribedBrowser } from '#tests/support/push.ts';
import type { SmtpSink } from '#tests/support/smtp-sink.ts';
import { SECRET_KEY, type TestProduct } from '#tests/support/start.ts';
import { BOT_TOKEN, chatWith, generateCode, readStatus } from '#tests/support/telegram.ts';
import { createWebhook, type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';
import { SEALED_COLUMNS } from '../compose.ts';
import { rotateSecrets } from './secrets-rotate.ts';

const log = pino({ level: 'silent' });
const NEW_KEY = 'the secret key that comes after it';
const BOTH = { SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: SECRET_KEY };
const [[OLD = ''], [NEW = '']] = [SECRET_KEY, NEW_KEY].map((key) =>
  openSecrets({ config: loadConfig({ SECRET_KEY: key }), log }).held(),
) as [string[], string[]];

let s: TestProduct;
/** The process with both keys; `s` has the earlier one. */
let both: TestProduct;
let receiver: Receiver;
let sink: SmtpSink;
let ann: TwoFactorUser;
let bob: TestUser;
let hook: Awaited<ReturnType<typeof createWebhook>>;
let browser: Browser;
let code: string;
beforeAll(async () => {
  receiver = await startReceiver();
  const mailed = await startWithMail({ WEBHOOK_ALLOW_LOOPBACK: '1', TELEGRAM_BOT_TOKEN: BOT_TOKEN });
  ({ s, sink } = mailed);
  ann = await createTwoFactorUser(s, 'ann');
  bob = await registerUser(s, 'bob', 'premium');
  hook = await createWebhook(bob, { url: `${receiver.url}/ok` });
  await bob.post(`${hook.at}/secret`);
  browser = await createSubscribedBrowser(s, bob);
  code = await generateCode(bob);
  both = { ...s, product: await s.another(BOTH) };
});
afterAll(async () => {
  await s.stop();
  await receiver.close();
  await sink.down();
});

const db = () => s.product.market.ctx.db;
const onBoth = (who: TestUser) => userWithToken(both, who.token, who);

/** Every sealed text in the database, with its location. */
async function sealedTexts(): Promise<{ place: string; text: string }[]> {
  const columns = await sql<{ table: string; column: string }>`select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'character varying')`.execute(
    db(),
  );
  const found = await Promise.all(
    columns.rows.map(async ({ table, column }) => {
      const { rows } = await sql<{ text: string }>`select ${sql.ref(column)}::text as text from ${sql.table(table)}
        where ${sql.ref(column)}::text ~ '^"?v[0-9]+\\.([0-9a-f]{16}\\.)?[A-Za-z0-9_-]{38,}"?$'`.execute(db());
      return rows.map(({ text }) => ({ place: `${table}.${column}`, text }));
    }),
  );
  return found.flat();
}

const keysUsed = async () => [...new Set((await sealedTexts()).map(({ text }) => text.slice(3, 19)))];
const installation = async () =>
  (await sql<Record<string, string | null>>`select * from installation`.execute(db())).rows[0];

type Pace = { batch?: number; signal?: AbortSignal; heard?: (line: string) => void };

/** The output of `npm run secrets:rotate`. */
async function rotate(
  env: Record<string, string>,
  { batch = 2, signal = new AbortController().signal, heard }: Pace = {},
): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    heard?.(line);
  };
  const deps = {
    config: loadConfig(env),
    log,
    connection: s.connection,
    signal,
    print,
    pace: { settleMs: 300, batch },
  };
  await rotateSecrets(deps, { mode: 'live', seed: 7, now: s.clock.now() });
  return lines;
}

const unsubscribe = (on: TestProduct, key: string) => {
  const token = unsubscribeToken(openSecrets({ config: loadConfig({ SECRET_KEY: key }), log }), {
    userId: bob.id,
    scope: 'all',
  });
  return sendRequest(on, 'GET', `/api/unsubscribe?t=${token}`);
};

describe('before', () => {
  test('a process with both keys seals with the database’s original key', async () => {
    const cat = onBoth(await registerUser(s, 'cat', 'pro'));
    const codeOfCat = await generateCode(cat);
    expect(await readStatus(userWithToken(s, cat.token, cat))).toMatchObject({ code: codeOfCat });
    expect(await keysUsed()).toEqual([OLD]);
  });

  test('every column with sealed text is known', async () => {
    const places = new Set((await sealedTexts()).map(({ place }) => place));
    const known = SEALED_COLUMNS.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
    expect([...places].toSorted()).toEqual(known.filter((place) => place !== 'installation.lasting_key').toSorted());
  });

  test('is rejected with a one-sentence error without the database’s original key', async () => {
    const wrong = { SECRET_KEY: NEW_KEY, SECRET_KEY_PREVIOUS: 'a key that never sealed anything here' };
    await expect(rotate(wrong)).rejects.toThrow(
      new RegExp(
        `^This database was created with another secret key \\(${OLD}, not ${NEW} or [0-9a-f]{16}( or [0-9a-f]{16})*\\)\\. Start`,
      ),
    );
    expect(await keysUsed()).toEqual([OLD]);
  });

  test('has nothing to change with a single key', async () => {
    const lines = await rotate({ SECRET_KEY });
    expect(lines.at(-1)).toBe(`The secret key is still ${OLD}.`);
    expect(await installation()).toMatchObject({ key_fingerprint: OLD, next_key_fingerprint: null });
  });
});

describe('interrupted', () => {
  test('loses nothing, and a start requires both keys', async () => {
    const ending = new AbortController();
    await expect(rotate(BOTH, { batch: 1, signal: ending.signal, heard: () => ending.abort() })).rejects.toThrow();
    expect((await keysUsed()).toSorted()).toEqual([NEW, OLD].toSorted());
    expect(await installation()).toMatchObject({ key_fingerprint: OLD, next_key_fingerprint: NEW });
    const sentence = `The secret key of this database is being changed from ${OLD} to ${NEW}: start with the new key as SECRET_KEY and the previous one as SECRET_KEY_PREVIOUS until secrets:rotate has finished.`;
    await expect(s.another({ SECRET_KEY: NEW_KEY })).rejects.toThrow(sentence);
    await expect(s.another({ SECRET_KEY })).rejects.toThrow(sentence);
    expect(await emailsTo(both, ann.email)).not.toEqual([]);
    expect(await readStatus(onBoth(bob))).toMatchObject({ code });
  });

  test('completes when rerun, and reports what it did and that nothing remains', async () => {
    const lines = await rotate(BOTH);
    expect(lines.at(-1)).toBe(`The secret key of this database is now ${NEW}.`);
    expect(lines).toContainEqual(expect.stringMatching(/^remaining\s+0$/));
    for (const { table } of SEALED_COLUMNS) expect(lines).toContainEqual(expect.stringMatching(`^${table}\\s+\\d+$`));
    expect(await keysUsed()).toEqual([NEW]);
    expect(await installation()).toMatchObject({ key_fingerprint: NEW, next_key_fingerprint: null });
    expect((await rotate(BOTH)).at(-1)).toBe(`The secret key is still ${NEW}.`);
  });
});

describe('afterwards', () => {
  test('running processes seal with the new key without restarting', async () => {
    await expect
      .poll(async () => {
        await generateCode(onBoth(await registerUser(s, `dan${Math.random()}`, 'pro')));
        return keysUsed();
      })
      .toEqual([NEW]);
  });

  test('second factors and backup codes still work', async () => {
    s.advance(STEP_MS);
    const withCode = await startSignIn(both, ann.email);
    const step = await sendRequest(both, 'POST', '/api/auth/two-factor', {
      challenge: withCode,
      code: codeAt(ann.secret, s.clock.now()),
    });
    expect([step.statusCode, step.json()]).toEqual([200, expect.objectContaining({ token: expect.any(String) })]);
    const withBackup = await startSignIn(both, ann.email);
    const [backup] = ann.backupCodes;
    const spent = await sendRequest(both, 'POST', '/api/auth/two-factor', { challenge: withBackup, code: backup });
    expect(spent.statusCode).toBe(200);
  });

  test('queued emails remain readable', async () => {
    const [mail] = await emailsTo(both, ann.email);
    expect(mail?.links.length).toBeGreaterThan(0);
  });

  test('a process without the new key leaves emails and webhooks to others and reports it', async () => {
    const waiting = async () =>
      (await sql`select 1 from mail_outbox where state = 'waiting' and address = ${ann.email}`.execute(db())).rows
        .length;
    const count = await waiting();
    expect(count).toBeGreaterThan(0);
    expect(await s.product.mail.deliver()).toBe(0);
    expect(await waiting()).toBe(count);
    expect((await bob.post(`${hook.at}/test`)).json()).toMatchObject({ state: 'later' });
    const { rows } = await sql<{ message: string }>`select message from error_groups where source = 'server'`.execute(
      db(),
    );
    expect(rows.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^The secret key was changed and this process does not have the new one/),
    );
    await both.product.mail.deliver();
    expect(await waiting()).toBe(0);
    expect(sink.emails.map(({ rcptTo }) => rcptTo)).toContainEqual([ann.email]);
  });

  test('webhooks are called at their address and signed with both of their owner’s secrets', async () => {
    const { state } = (await onBoth(bob).post(`${hook.at}/test`)).json<{ state: string }>();
    expect(state).toBe('sent');
    const call = receiver.calls.at(-1);
    const [t, ...signatures] = String(call?.headers['meridian-signature']).split(',');
    const right = createHmac('sha256', hook.secret)
      .update(`${t?.slice(2)}.${call?.body}`)
      .digest('hex');
    expect(signatures).toHaveLength(2);
    expect(signatures[1]).toBe(`v1=${right}`);
  });

  test('push messages reach existing browser subscriptions', async () => {
    const before = (await browser.received()).length;
    const message = { title: 'Test', body: 'Still here', icon: '/icon-192.png' };
    expect((await onBoth(bob).post('/api/push/test', message)).statusCode).toBe(200);
    expect((await browser.received()).length).toBe(before + 1);
  });

  test('an earlier Telegram code still connects', async () => {
    both.product.telegram.work();
    expect(await chatWith(both, 501).sendAndReadReply(`/verify ${code}`)).toMatch(/^Connected\./);
  });

  test('links in earlier emails work while SECRET_KEY_PREVIOUS is set', async () => {
    expect((await unsubscribe(both, SECRET_KEY)).statusCode).toBe(200);
    expect((await unsubscribe(both, NEW_KEY)).statusCode).toBe(200);
    const alone = { ...s, product: await s.another({ SECRET_KEY: NEW_KEY }) };
    expect((await unsubscribe(alone, SECRET_KEY)).statusCode).not.toBe(200);
    expect((await unsubscribe(alone, NEW_KEY)).statusCode).toBe(200);
    const challenge = await startSignIn(alone, ann.email);
    const [, backup] = ann.backupCodes;
    expect((await sendRequest(alone, 'POST', '/api/auth/two-factor', { challenge, code: backup })).statusCode).toBe(
      200,
    );
  });

  test('rejects the previous key alone', async () => {
    await expect(s.another({ SECRET_KEY })).rejects.toThrow(
      `This database was created with another secret key (${NEW}, not ${OLD})`,
    );
  });

  test('values no key opens are left unchanged, counted and reported, and block the rotation', async () => {
    const lost = openSecrets({ config: loadConfig({ SECRET_KEY: 'a key that somebody has lost for ever' }), log });
    await sql`update mail_outbox set body = ${lost.seal('{}')} where id = (select min(id) from mail_outbox)`.execute(
      db(),
    );
    const third = { SECRET_KEY: 'the third key of this installation', SECRET_KEY_PREVIOUS: NEW_KEY };
    await expect(rotate(third)).rejects.toThrow(
      'Values that none of the given keys can decrypt: mail_outbox 1. Add the key that encrypted them to SECRET_KEY_PREVIOUS and run this command again.',
    );
    expect(await installation()).toMatchObject({ key_fingerprint: NEW });
    const found = { ...third, SECRET_KEY_PREVIOUS: `${NEW_KEY},a key that somebody has lost for ever` };
    expect(await rotate(found)).toContainEqual(expect.stringMatching(/^remaining\s+0$/));
    const alone = { ...s, product: await s.another({ SECRET_KEY: third.SECRET_KEY }) };
    const challenge = await startSignIn(alone, ann.email);
    const [, , backup] = ann.backupCodes;
    expect((await sendRequest(alone, 'POST', '/api/auth/two-factor', { challenge, code: backup })).statusCode).toBe(
      200,
    );
  });
});

import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Product } from '#app/server/product.ts';
import type { Setting } from '#features/operations/contract/settings.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { PASSWORD, sendRequest } from '#tests/support/people.ts';

const s = fileProduct({ env: { EXPORTS_PER_DAY: '30' } });
const admin = member(s, 'admin', 'admin');
const ann = member(s, 'ann', 'pro');
let other: Product;
const db = () => s.product.billing.db;

beforeAll(async () => {
  other = await s.another({ EXPORTS_PER_DAY: '30' });
}, 60_000);

const LIST = '/api/admin/settings';
const all = async () => (await admin.get(LIST)).json<{ settings: Setting[] }>().settings;
const setting = async (key: string) => (await all()).find((each) => each.key === key) as Setting;
const put = (key: string, value: string | null, was: string, note = 'why') =>
  admin.put(`${LIST}/${key}`, { value, was, note });
const errorOf = (answer: Awaited<ReturnType<typeof put>>) => [
  answer.statusCode,
  answer.json<{ error: string }>().error,
];
const elsewhere = (read: (product: Product) => unknown) =>
  expect.poll(() => read(other), { timeout: 1000, interval: 20 });
const register = (product: Product, email: string) =>
  sendRequest({ ...s, product }, 'POST', '/api/auth/register', { email, password: PASSWORD });

test('permissions: only safe settings are listed: no key, no address, no secret, no data mode', async () => {
  const keys = (await all()).map(({ key }) => key);
  expect(keys.join(', ')).toBe(
    'SIGN_UPS, EXPORTS_PER_DAY, EXPORT_ROWS_AT_ONCE, EXPORT_DAYS_KEPT, API_CALLS_PER_DAY_PRO, API_CALLS_PER_DAY_PREMIUM, LOG_LEVEL, ERROR_LOG_DAYS',
  );
  expect(errorOf(await put('SECRET_KEY', 'x', ''))).toEqual([404, 'Setting not found']);
});

describe('a change', () => {
  test('overrides the configuration in every process within a second, with its history', async () => {
    expect(await setting('EXPORTS_PER_DAY')).toMatchObject({
      about: expect.stringMatching(/^Exports per UTC day for a Pro account/),
      kind: 'number',
      default: '30',
      value: '30',
      isDefault: true,
      history: [],
    });
    const answer = await put('EXPORTS_PER_DAY', '3', '30', 'A busy week');
    expect(answer.statusCode).toBe(200);
    expect(await setting('EXPORTS_PER_DAY')).toMatchObject({
      default: '30',
      value: '3',
      isDefault: false,
      history: [{ value: '3', at: s.clock.now().toISOString(), by: admin.email, note: 'A busy week' }],
    });
    await elsewhere((product) => product.exports.ctx.config.EXPORTS_PER_DAY).toBe(3);
    const statistics = await ann.get('/api/exports/statistics');
    expect(statistics.body).toContain('"perDay":3');
    const audits = await db()
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'setting.change')
      .execute();
    expect(audits).toEqual([{ details: { key: 'EXPORTS_PER_DAY', from: '30', to: '3' } }]);
  });

  test('a process that starts later has it from startup', async () => {
    const late = await s.another({ EXPORTS_PER_DAY: '30' });
    expect(late.exports.ctx.config.EXPORTS_PER_DAY).toBe(3);
  });

  test('reset to default', async () => {
    expect((await put('EXPORTS_PER_DAY', null, '3')).statusCode).toBe(200);
    expect(await setting('EXPORTS_PER_DAY')).toMatchObject({ value: '30', isDefault: true });
    await elsewhere((product) => product.exports.ctx.config.EXPORTS_PER_DAY).toBe(30);
  });

  test('of two concurrent administrators one is notified that it has changed', async () => {
    const answers = await Promise.all([
      put('EXPORT_DAYS_KEPT', '9', '7'),
      sendRequest(
        { ...s, product: other },
        'PUT',
        `${LIST}/EXPORT_DAYS_KEPT`,
        { value: '11', was: '7', note: '' },
        admin,
      ),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json<{ error: string }>().error).toMatch(
      /^EXPORT_DAYS_KEPT was changed in the meantime and is now (9|11)$/,
    );
    expect((await setting('EXPORT_DAYS_KEPT')).history).toHaveLength(1);
  });

  test.each([
    ['EXPORTS_PER_DAY', '0', '30', /^EXPORTS_PER_DAY: Too small/],
    ['EXPORTS_PER_DAY', 'many', '30', /^EXPORTS_PER_DAY: Invalid input/],
    ['EXPORTS_PER_DAY', ' ', '30', 'EXPORTS_PER_DAY: give a value'],
    ['LOG_LEVEL', 'loud', 'silent', /^LOG_LEVEL: Invalid option/],
  ])('%s cannot be "%s"', async (key, value, was, words) => {
    const [status, error] = errorOf(await put(key, value, was));
    expect(status).toBe(400);
    expect(error).toMatch(words);
  });

  test('after a lost connection the values are reloaded', async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'meridian-listen' and datname = current_database()`.execute(db());
    // Without a notification.
    await sql`insert into setting_changes (key, value, changed_at, note)
      values ('API_CALLS_PER_DAY_PRO', '77', now(), '')`.execute(db());
    await expect.poll(() => other.apiKeys && other.auth.ctx.config.API_CALLS_PER_DAY_PRO, { timeout: 10_000 }).toBe(77);
  }, 20_000);

  test('a stored value that is no longer valid yields the default', async () => {
    await sql`insert into setting_changes (key, value, changed_at, note)
      values ('API_CALLS_PER_DAY_PREMIUM', 'lots', now(), '')`.execute(db());
    const late = await s.another();
    expect(late.auth.ctx.config.API_CALLS_PER_DAY_PREMIUM).toBe(10_000);
  });
});

describe('effects', () => {
  test('sign-ups closed: new users get a message, and existing ones sign in', async () => {
    expect((await put('SIGN_UPS', 'closed', 'open')).statusCode).toBe(200);
    await elsewhere((product) => product.auth.ctx.config.SIGN_UPS).toBe('closed');
    for (const product of [s.product, other]) {
      expect((await product.app.inject('/api/auth/options')).json()).toMatchObject({ signUpsOpen: false });
      const refused = await register(product, 'new@people.example');
      expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
        403,
        'Sign-ups are currently closed. Please come back later.',
      ]);
    }
    const entered = await sendRequest(s, 'POST', '/api/auth/login', { email: ann.email, password: PASSWORD });
    expect(entered.statusCode).toBe(200);
    expect((await put('SIGN_UPS', null, 'closed')).statusCode).toBe(200);
    expect((await register(s.product, 'new@people.example')).statusCode).toBe(200);
  });

  test('public API call limits per account apply without a restart', async () => {
    expect((await put('API_CALLS_PER_DAY_PRO', '5', '77')).statusCode).toBe(200);
    const usage = await ann.get('/api/keys/usage');
    expect(usage.json<{ limit: number }>().limit).toBe(5);
  });

  test('the error log is retained for that many days', async () => {
    expect((await put('ERROR_LOG_DAYS', '2', '30')).statusCode).toBe(200);
    const at = (days: number) => new Date(s.clock.now().getTime() - days * 86_400_000).toISOString();
    await db()
      .insertInto('error_logs')
      .values(
        [1, 3].map((days) => ({ source: 't', type: 'other', message: `${days}`, details: null, timestamp: at(days) })),
      )
      .execute();
    await s.product.scheduler.runManually('platform.retention');
    const left = await db().selectFrom('error_logs').select('message').where('source', '=', 't').execute();
    expect(left).toEqual([{ message: '1' }]);
  });

  test('a change requires a fresh sign-in', async () => {
    s.advance(16 * 60_000);
    const refused = await put('SIGN_UPS', 'closed', 'open');
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'reauthentication_required']);
    expect((await setting('SIGN_UPS')).value).toBe('open');
  });
});

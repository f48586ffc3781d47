import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ErrorLog, ErrorType, Tally } from '#features/operations/contract/error-logs.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { sendRequest } from '#tests/support/people.ts';
import { start } from '#tests/support/start.ts';

type List = { errors: ErrorLog[]; counts: Record<ErrorType | 'all', Tally>; next: string | null };

const DAY_MS = 86_400_000;
const LOG_IN = 'Authentication required. Please log in.';
const ADMINS_ONLY = 'Admin access required. This page is only available to administrators.';
const NONE: Tally = { errors: 0, times: 0 };

const s = fileProduct();
const admin = member(s, 'root', 'admin');
const ann = member(s, 'ann', 'premium');
const db = () => s.product.market.ctx.db;
beforeEach(() => db().deleteFrom('error_groups').execute());

const list = async (query = '') => (await admin.get(`/api/errors${query}`)).json<List>();
const messages = async (query = '') => (await list(query)).errors.map(({ message }) => message);
const until = (expected: string[], query = '') =>
  expect.poll(() => messages(query), { timeout: 5000 }).toEqual(expected);
const report = (...failure: Parameters<typeof s.product.auth.ctx.report>) => s.product.auth.ctx.report(...failure);
const resolve = (id: number | string) => admin.post(`/api/errors/${id}/resolve`);

/** Table rows as after some time. */
async function kept(count: number, more: { type?: ErrorType; source?: string; times?: number } = {}) {
  const { type = 'system', source = 'server', times = 1 } = more;
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date(s.clock.now().getTime() - Math.floor(n / 3) * 1000).toISOString();
    const group = { source, type, message: `${type} ${n}`, details: null, request_id: null, count: times };
    return { ...group, fingerprint: `${source}-${type}-${n}`, first_seen: at, last_seen: at, resolved_at: null };
  });
  await db().insertInto('error_groups').values(rows).execute();
}

describe('GET /api/errors', () => {
  test('200: each failure once, with the specified fields and its count', async () => {
    const first = s.clock.now().toISOString();
    report('CoinGecko', 'api_failure', 'CoinGecko answered 503 after 12 ms', { kind: 'http' });
    s.advance(61_000);
    report('CoinGecko', 'api_failure', 'CoinGecko answered 503 after 7 ms', { kind: 'http', requestId: 'r-7' });
    await until(['CoinGecko answered 503 after 7 ms']);
    const { errors, counts, next } = await list();
    expect(errors).toEqual([
      {
        id: expect.any(Number),
        source: 'CoinGecko',
        type: 'api_failure',
        message: 'CoinGecko answered 503 after 7 ms',
        timestamp: s.clock.now().toISOString(),
        details: '{"kind":"http","requestId":"r-7"}',
        fingerprint: expect.stringMatching(/^[\da-f]{32}$/),
        firstSeen: first,
        count: 2,
        requestId: 'r-7',
      },
    ]);
    expect(counts).toEqual({
      all: { errors: 1, times: 2 },
      api_failure: { errors: 1, times: 2 },
      data_collection: NONE,
      authentication: NONE,
      system: NONE,
      other: NONE,
    });
    expect(next).toBeNull();
  });

  test('a bug in a call is listed with its request; a sign-in failure counts as authentication', async () => {
    await db().schema.alterTable('contact_messages').renameTo('away').execute();
    const answer = await admin.get('/api/admin/contact');
    await db().schema.alterTable('away').renameTo('contact_messages').execute();
    await db().schema.alterTable('passkeys').renameTo('away').execute();
    await ann.get('/api/auth/passkeys');
    await db().schema.alterTable('away').renameTo('passkeys').execute();
    await until(['GET /api/auth/passkeys failed', 'GET /api/admin/contact failed'].toSorted().toReversed());
    const { errors } = await list();
    const of = (path: string) => errors.find(({ message }) => message === `GET ${path} failed`);
    expect(of('/api/auth/passkeys')?.type).toBe('authentication');
    expect(of('/api/admin/contact')).toMatchObject({
      source: 'server',
      type: 'system',
      requestId: answer.headers['x-request-id'],
    });
    expect(JSON.parse(of('/api/admin/contact')?.details ?? '')).toMatchObject({
      requestId: answer.headers['x-request-id'],
      error: expect.stringContaining('relation "contact_messages" does not exist'),
    });
  });

  test('counts per type are the same for any requested type; all includes other too', async () => {
    await kept(2, { type: 'api_failure', times: 10 });
    await kept(1, { type: 'authentication' });
    await kept(3, { type: 'other', times: 2 });
    const { errors, counts } = await list('?type=authentication');
    expect(errors.map(({ type }) => type)).toEqual(['authentication']);
    expect([counts.all, counts.api_failure, counts.authentication, counts.other, counts.system]).toEqual([
      { errors: 6, times: 27 },
      { errors: 2, times: 20 },
      { errors: 1, times: 1 },
      { errors: 3, times: 6 },
      NONE,
    ]);
  });

  test('q searches message, source, request and details, literally and in any case', async () => {
    report('okx', 'api_failure', 'OKX answered 503', { code: 'ECONNRESET' });
    report('market', 'system', '100% of coins are lost', { requestId: 'r-77' });
    await expect.poll(async () => (await list()).counts.all.errors).toBe(2);
    for (const [q, source] of [
      ['OKX answered', 'okx'],
      ['okx', 'okx'],
      ['market', 'market'],
      ['r-77', 'market'],
      ['ECONNRESET', 'okx'],
      ['100%', 'market'],
    ] as const) {
      const { errors, counts } = await list(`?q=${encodeURIComponent(q)}`);
      expect([q, errors.map((each) => each.source), counts.all.errors]).toEqual([q, [source], 1]);
    }
  });

  test('pages by 50 return every failure once, even where many were seen at the same moment', async () => {
    await kept(120);
    const found: number[] = [];
    let pages = 0;
    for (let next: string | null = ''; next !== null; pages += 1) {
      const page: List = await list(next && `?before=${next}`);
      found.push(...page.errors.map(({ id }) => id));
      next = page.next;
    }
    expect([pages, found.length, new Set(found).size]).toEqual([3, 120, 120]);
  });

  test.each(['?type=lost', '?before=x', '?before=99999999999999-1', `?q=${'x'.repeat(101)}`])(
    '400: %s',
    async (query) => {
      expect((await admin.get(`/api/errors${query}`)).statusCode).toBe(400);
    },
  );

  test('any text is searched literally', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 12 }), async (q) => {
        const answer = await admin.get(`/api/errors?q=${encodeURIComponent(q.replaceAll('\0', ''))}`);
        expect(answer.statusCode).toBe(200);
      }),
      { numRuns: 15 },
    );
    expect((await admin.get('/api/errors?q=%00')).statusCode).toBe(400);
  });

  test('secrets in message and details are unreadable', async () => {
    report('mail', 'system', 'smtp://ann:hunter2@mail.example refused', {
      url: 'https://api.example/v1?token=hunter2',
      password: 'hunter2',
      header: 'Bearer hunter2',
    });
    await until(['smtp://ann:[redacted]@mail.example refused']);
    expect(JSON.stringify(await list())).not.toContain('hunter2');
  });
});

test('counts of several processes: two concurrently: every report is in one count', async () => {
  const other = await s.another();
  const both = [s.product, other];
  await Promise.all(
    both.map(async (product) => {
      for (let n = 0; n < 500; n++) product.auth.ctx.report('OKX', 'api_failure', 'OKX answered 503');
    }),
  );
  await other.stop();
  await expect
    .poll(async () => (await list()).errors.map(({ message, count }) => [message, count]), { timeout: 10_000 })
    .toEqual([['OKX answered 503', 1000]]);
});

describe('POST /api/errors/:id/resolve', () => {
  test('it leaves the list with an audit entry, once, and returns when seen again', async () => {
    report('OKX', 'api_failure', 'OKX answered 503');
    report('market', 'system', 'Another');
    await expect.poll(async () => (await list()).counts.all.errors).toBe(2);
    const id = (await list('?q=OKX')).errors[0]?.id ?? 0;
    expect((await resolve(id)).json()).toEqual({ success: true });
    expect((await resolve(id)).json()).toEqual({ success: true });
    expect([await messages(), (await list()).counts.api_failure]).toEqual([['Another'], NONE]);
    const traces = await db()
      .selectFrom('audit_log')
      .select(['actor_id', 'details'])
      .where('action', '=', 'error.resolve')
      .execute();
    expect(traces).toEqual([{ actor_id: admin.id, details: { error: id } }]);
    s.advance(61_000);
    report('OKX', 'api_failure', 'OKX answered 503');
    await until(['OKX answered 503', 'Another']);
    expect((await list('?q=OKX')).errors).toMatchObject([{ id, count: 2 }]);
  });

  test('of ten concurrent calls one is audited', async () => {
    await kept(1);
    const id = (await list()).errors[0]?.id ?? 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => resolve(id)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const trace = await db()
      .selectFrom('audit_log')
      .select(['details'])
      .where('action', '=', 'error.resolve')
      .execute();
    expect(trace.filter(({ details }) => (details as { error: number }).error === id)).toHaveLength(1);
  });

  test.each([
    ['404', '99999', 'Error not found'],
    ['400', 'x', undefined],
    ['400', '99999999999999999999', undefined],
  ])('%s: %s', async (status, id, error) => {
    const answer = await resolve(id);
    expect(answer.statusCode).toBe(Number(status));
    if (error) expect(answer.json<{ error: string }>().error).toBe(error);
  });
});

test.each([['GET', '/api/errors']] as const)(
  'permissions: %s %s: 401 when signed out, 403 for everyone but an administrator',
  async (method, path) => {
    const nobody = await sendRequest(s, method, path);
    const forged = await sendRequest(s, method, path, undefined, { token: 'made-up' });
    const premium = await sendRequest(s, method, path, undefined, { token: ann.token });
    const said = [nobody, forged, premium].map((answer) => [answer.statusCode, answer.json<{ error: string }>().error]);
    expect(said).toEqual([
      [401, LOG_IN],
      [401, LOG_IN],
      [403, ADMINS_ONLY],
    ]);
  },
);

test('platform.retention deletes errors not seen for 30 days', async () => {
  await kept(1);
  s.advance(29 * DAY_MS);
  await s.product.scheduler.runManually('platform.retention');
  const held = () => db().selectFrom('error_groups').select('id').where('source', '=', 'server').execute();
  expect(await held()).toHaveLength(1);
  s.advance(2 * DAY_MS);
  await s.product.scheduler.runManually('platform.retention');
  expect(await held()).toEqual([]);
});

test("a failure in the demo's simulated world is not a demo error", async () => {
  const demo = await start({ mode: 'demo' });
  try {
    demo.sandbox.faults.set({ kind: 'server_error', provider: '*' });
    await demo.product.scheduler.runManually('market.listing').catch(() => undefined);
    await demo.product.refresh();
    const groups = await demo.product.market.ctx.db
      .selectFrom('error_groups')
      .select(['source', 'message'])
      .where('type', '=', 'api_failure')
      .execute();
    expect(groups).toEqual([]);
  } finally {
    await demo.stop();
  }
});

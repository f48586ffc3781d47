import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { apiError } from '#shared/contract.ts';
import { contractRows, type Row } from '#tests/support/access.ts';
import { insertSession } from '#tests/support/callers.ts';
import { contactRequest, newChallenge } from '#tests/support/concurrent.ts';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { mutatedBodies, mutatedFields, mutatedQueries } from '#tests/support/hostile.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10);
const SEED = Number(process.env['FUZZ_SEED'] ?? 7);
const ENV = { EMAIL_CONFIRMATION: 'off', STRIPE_SECRET_KEY: 'sk_test_demo', STRIPE_WEBHOOK_SECRET: 'whsec_demo' };

/** The public API has its own tests, generated from its document. */
const ROWS = (await contractRows()).filter(
  ({ endpoint: { params, query, body, scope } }) => (params ?? query ?? body) !== undefined && scope === undefined,
);

const s = fileProduct({ mode: 'demo', env: ENV });
const admin = member(s, 'admin', 'admin');
beforeAll(async () => {
  for (const job of ['market.listing', 'metrics.listing', 'events.collect']) await s.job(job);
});

type Asked = { url: string; payload?: string };
const NOTHING: fc.Arbitrary<Record<string, string>> = fc.constant({});

function asking({ path, endpoint: { params, query, body } }: Row): fc.Arbitrary<Asked> {
  return fc
    .tuple(
      params ? mutatedFields(params) : NOTHING,
      query ? mutatedQueries(query) : fc.constant(''),
      body ? mutatedBodies(body) : fc.constant(undefined),
    )
    .map(([words, search, given]) => ({
      url: `${path.replaceAll(/:(\w+)/g, (_whole, name: string) => words[name] || 'x')}${search === '' ? '' : `?${search}`}`,
      ...(given === undefined ? {} : { payload: JSON.stringify(given) }),
    }));
}

let network = 0;

/** With full permissions and a fresh re-authentication, from a new network, so that no limit applies. */
async function ask(method: Row['method'], { url, payload }: Asked, headers: Record<string, string> = {}) {
  network += 1;
  const token = method === 'GET' ? admin.token : await insertSession(s, admin.id, { authenticatedMsAgo: 0 });
  const answer = await s.product.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: `10.${(network >> 8) & 255}.${network & 255}.1`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.body };
}

function wrongWith({ status, body }: { status: number; body: string }): string | null {
  if (status === 500) return body;
  if (status < 400) return null;
  try {
    return apiError.safeParse(JSON.parse(body)).success ? null : body;
  } catch {
    return body;
  }
}

test.each(['a\0b', 'a\ud800b', '\udc00'])(
  'unstorable text %j is rejected in a body, a name, a path, a query and a form',
  async (text) => {
    const rule = { name: 'x', metric: 'btc_price', condition: 'above', value: 1 };
    const address = encodeURIComponent(text.toWellFormed());
    const asked: [Row['method'], Asked][] = [
      ['POST', { url: '/api/alerts/thresholds/rules', payload: JSON.stringify({ ...rule, name: text }) }],
      ['POST', { url: '/api/alerts/thresholds/rules', payload: JSON.stringify({ ...rule, [text]: 1 }) }],
      [
        'PUT',
        { url: '/api/admin/settings/ERROR_LOG_DAYS', payload: JSON.stringify({ value: '9', was: '', note: text }) },
      ],
    ];
    if (text.includes('\0')) asked.push(['GET', { url: `/api/admin/ai-analysis?before=${address}` }]);
    if (text.includes('\0')) asked.push(['GET', { url: `/api/metrics/${address}/history` }]);
    for (const [method, each] of asked) {
      const { status, body } = await ask(method, each);
      // With the message of its contract where it has one.
      expect([each.url, status, body]).toEqual([each.url, 400, expect.stringMatching(/cannot be stored|metric/)]);
    }
    const letter = contactRequest(await newChallenge(s), undefined, { message: text, name: text, subject: text });
    const { statusCode } = await s.product.app.inject({ method: 'POST', payload: letter.body, ...letter } as object);
    expect(statusCode).toBeLessThan(500);
  },
);

test.each(ROWS.map((row) => [`${row.method} ${row.path}`, row] as const))(
  'arbitrary call input: property: %s never causes a server error, and refusals use the wire shape',
  async (_call, row) => {
    const found = new Set<string>();
    await fc.assert(
      fc.asyncProperty(asking(row), async (asked) => {
        const wrong = wrongWith(await ask(row.method, asked));
        if (wrong)
          found.add(`${asked.url.slice(0, 300)} ${asked.payload?.slice(0, 500) ?? ''} → ${wrong.slice(0, 200)}`);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect([...found].slice(0, 3)).toEqual([]);
  },
);

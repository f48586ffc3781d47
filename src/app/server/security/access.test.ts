import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MOVED } from '#shared/moved.ts';
import { accessTable, contractRows, guardOf, OPEN_WRITES, OTHER_ROUTES, type Row } from '#tests/support/access.ts';
import { type Caller, createCallers, type Role } from '#tests/support/callers.ts';
import { startWithRoutes } from '#tests/support/rows.ts';
import type { TestProduct } from '#tests/support/start.ts';
import { CLIENT_DIR } from '../pages/build.ts';
import { ACCOUNT_PAGES, APP_PAGES, DEMO_PAGES, FIGURE_PAGE, NAME_PAGES } from '../pages/page-names.ts';

const ENV = {
  EMAIL_CONFIRMATION: 'off',
  API_BURST_PER_SECOND: '0',
  API_CALLS_PER_DAY_PRO: '0',
  TELEGRAM_BOT_TOKEN: '1:x',
};
const WEBHOOK_ENV = {
  TELEGRAM_BOT_TOKEN: '1:x',
  TELEGRAM_WEBHOOK_URL: 'https://meridian.example/api/telegram/webhook',
};
const ROOT = join(import.meta.dirname, '../../../..');
const ROWS = await contractRows();
const RANK: Record<Role, number> = { visitor: -1, free: 0, pro: 1, premium: 2, admin: 3 };
const SHOWN = ROWS.map((row) => [`${row.method} ${row.path}`, row] as const);

let s: TestProduct;
let routes: ReadonlySet<string>;
let callers: Caller[];
beforeAll(async () => {
  ({ s, routes } = await startWithRoutes({ mode: 'demo', env: ENV }));
  callers = await createCallers(s);
}, 120_000);
afterAll(() => s.stop());

type Expected = 'open' | readonly [status: number, code: string];

/** The result that a contract defines for a caller. Keys open endpoints with a scope, sessions everything else. */
function expectedOf({ endpoint: { access, scope } }: Row, { role, key }: Caller): Expected {
  const needed = access === 'public' ? (scope === undefined ? 'visitor' : 'pro') : access;
  if (scope !== undefined) {
    if (!key) return [401, 'unauthenticated'];
    if (RANK[role] < RANK.pro) return [403, 'upgrade_required'];
    if (!key.includes(scope)) return [403, 'forbidden'];
    return RANK[role] < RANK[needed] ? [403, 'upgrade_required'] : 'open';
  }
  const rank = key ? RANK.visitor : RANK[role];
  if (rank >= RANK[needed]) return 'open';
  if (rank === RANK.visitor) return [401, 'unauthenticated'];
  return [403, access === 'admin' ? 'forbidden' : 'upgrade_required'];
}

/** An open stream would never end, so the topic does not exist. */
const addressOf = (path: string) =>
  path.endsWith('/stream') ? `${path}?topics=none` : path.replaceAll(/:\w+/g, '999999999');
const codeOf = (body: string) =>
  body.startsWith('{"error"') ? (JSON.parse(body) as { code?: string }).code : undefined;

async function ask(row: Row, caller: Caller, payload: string, method = row.endpoint.method as string) {
  const answer = await s.product.app.inject({
    method: method as 'GET',
    url: addressOf(row.path),
    headers: {
      ...(await caller.headers(row.method)),
      ...(row.method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(row.method === 'GET' ? {} : { payload }),
  });
  return { status: answer.statusCode, code: codeOf(answer.body), headers: answer.headers };
}

test.each(SHOWN)('who may call which route: %s', async (_call, row) => {
  for (const caller of callers) {
    const expected = expectedOf(row, caller);
    // Access is refused before the body is read, which is invalid JSON here.
    const { status, code, headers } = await ask(row, caller, expected === 'open' ? '{}' : '{');
    if (expected === 'open') {
      const isOwnRefusal = OWN_REFUSALS[`${row.method} ${row.path}`] === code;
      const refusedAs =
        isOwnRefusal || ![401, 403].includes(status) || code === 'reauthentication_required' ? null : code;
      expect([caller.name, refusedAs]).toEqual([caller.name, null]);
      expect([caller.name, status], code).not.toEqual([caller.name, 500]);
    } else expect([caller.name, status, code]).toEqual([caller.name, ...expected]);
    expect(headers['set-cookie']).toBeUndefined();
  }
});

describe('other paths to the same calls', () => {
  test('rejects HEAD wherever GET is rejected', async () => {
    const refused = callers.filter(({ name }) => ['visitor', 'free', 'Pro'].includes(name));
    for (const row of ROWS.filter(({ method }) => method === 'GET'))
      for (const caller of refused) {
        const expected = expectedOf(row, caller);
        if (expected === 'open') continue;
        const { status } = await ask(row, caller, '', 'HEAD');
        expect([row.path, caller.name, status]).toEqual([
          row.path,
          caller.name,
          row.path.endsWith('/stream') ? 404 : expected[0],
        ]);
      }
  });

  test('over a socket, where prepared responses bypass the router', async () => {
    const { port } = await s.product.listen();
    for (const row of ROWS.filter(({ method, endpoint: { scope } }) => method === 'GET' && scope !== undefined))
      for (const caller of callers.filter(({ name, key }) => key !== undefined || name === 'visitor')) {
        const expected = expectedOf(row, caller);
        const { status } = await fetch(`http://127.0.0.1:${port}${addressOf(row.path)}`, {
          headers: await caller.headers('GET'),
        });
        if (expected === 'open')
          expect([row.path, caller.name, [401, 403].includes(status)]).toEqual([row.path, caller.name, false]);
        else expect([row.path, caller.name, status]).toEqual([row.path, caller.name, expected[0]]);
      }
  });
});

/** Entries of OTHER_ROUTES that match several routes. */
const PATTERNS = Object.keys(OTHER_ROUTES)
  .filter((call) => call.endsWith('/*'))
  .map((call) => new RegExp(`^${call.replace('ALL', String.raw`\w+`).replace('/*', '/')}`));
const PAGES = new Set([
  '/',
  '/about',
  '/status',
  '/app',
  '/app/*',
  FIGURE_PAGE,
  ...Object.keys({ ...APP_PAGES, ...NAME_PAGES, ...ACCOUNT_PAGES, ...DEMO_PAGES }),
  ...MOVED.map(([from]) => from),
]);
/** Pages that are the same for all callers, and files of the build. */
function isPage(call: string): boolean {
  const [method, path = ''] = call.split(' ');
  return method === 'GET' && (PAGES.has(path) || (path !== '/' && existsSync(join(CLIENT_DIR, path))));
}

/** Calls with a check of their own that refuses some callers the contract admits. */
const OWN_REFUSALS: Readonly<Record<string, string>> = {
  'POST /api/errors/client': 'forbidden',
  'POST /api/subscribe/stripe': 'unauthenticated',
};

describe('the list is complete', () => {
  test('every route belongs to a contract or is listed with what grants access', () => {
    const known = new Set([...ROWS.map(({ method, path }) => `${method} ${path}`), ...Object.keys(OTHER_ROUTES)]);
    const isKnown = (call: string) =>
      known.has(call) || [...PATTERNS].some((pattern) => pattern.test(call)) || isPage(call);
    expect([...routes].filter((call) => !isKnown(call))).toEqual([]);
  });

  test('every row is mounted, in or outside demo mode', async () => {
    const { s: live, routes: more } = await startWithRoutes({ env: WEBHOOK_ENV });
    await live.stop();
    const mounted = new Set([...routes, ...more]);
    const exact = Object.keys(OTHER_ROUTES).filter((call) => !call.includes('*'));
    const wanted = [...ROWS.map(({ method, path }) => `${method} ${path}`), ...exact];
    expect(wanted.filter((call) => !mounted.has(call))).toEqual([]);
  });

  test('the list of open writes contains only open writes', () => {
    const open = ROWS.filter((row) => guardOf(row) !== '').map(({ method, path }) => `${method} ${path}`);
    expect(open.toSorted()).toEqual(Object.keys(OPEN_WRITES).toSorted());
  });

  test('docs/access.md matches', async () => {
    expect(readFileSync(join(ROOT, 'docs/access.md'), 'utf8')).toContain(accessTable(ROWS));
  });
});

import { sql } from 'kysely';

import { hashToken } from '#features/accounts/server/auth/service.ts';
import { API_KEY_PREFIX, API_SCOPES, type ApiScope } from '#shared/contract.ts';

import { makeKey } from './api-fixture.ts';
import { grantPlan, registerUser, type TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The role of a caller. */
export type Role = 'visitor' | 'free' | 'pro' | 'premium' | 'admin';

export type Caller = {
  name: string;
  role: Role;
  /** The scopes of its API key; without a key it is a session or anonymous. */
  key?: readonly ApiScope[];
  /** A call that changes something gets a new session, because some of them end it. */
  headers: (method: string) => Promise<Record<string, string>>;
};

let sessionCount = 0;

/** Inserts a session; its last authentication is long ago unless given. */
export async function insertSession(
  s: TestProduct,
  userId: number,
  { expiresInMs = DAY_MS, authenticatedMsAgo = HOUR_MS }: { expiresInMs?: number; authenticatedMsAgo?: number } = {},
): Promise<string> {
  sessionCount += 1;
  const token = `s_made_by_the_test_${sessionCount}`;
  const now = s.clock.now().getTime();
  const [at, authenticatedAt, expiresAt] = [now, now - authenticatedMsAgo, now + expiresInMs].map((ms) =>
    new Date(ms).toISOString(),
  );
  await sql`insert into sessions (token_hash, user_id, device, network, created_at, seen_at, proved_at, expires_at)
    values (${hashToken(token)}, ${userId}, 'Test', '10.0.0.0/24', ${at}, ${at}, ${authenticatedAt}, ${expiresAt})`.execute(
    s.product.market.ctx.db,
  );
  return token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const constantHeaders = (headers: Record<string, string>) => async () => headers;

/** All kinds of callers: invalid tokens, every plan, and API keys. */
export async function createCallers(s: TestProduct): Promise<Caller[]> {
  const signedIn = (name: string, role: Role, { id, token }: TestUser): Caller => ({
    name,
    role,
    headers: async (method) => bearer(method === 'GET' ? token : await insertSession(s, id)),
  });
  const anonymous = (name: string, headers: Record<string, string>): Caller => ({
    name,
    role: 'visitor',
    headers: constantHeaders(headers),
  });
  // Both have used their trial, so no call can give them another plan.
  const [free, expired] = [await registerUser(s, 'caller-free'), await registerUser(s, 'caller-lapsed')];
  await free.post('/api/subscribe/trial');
  await expired.post('/api/subscribe/trial');
  s.product.auth.callers.forget(expired.id);
  const expiredKey = (await makeKey(expired)).api_key;
  s.advance(12 * DAY_MS);
  const [pro, premium, admin] = [
    await registerUser(s, 'caller-pro', 'pro'),
    await registerUser(s, 'caller-premium', 'premium'),
    await registerUser(s, 'caller-admin', 'admin'),
  ];

  const signedOut = await registerUser(s, 'caller-left', 'premium');
  await signedOut.post('/api/auth/logout');
  const disabled = await registerUser(s, 'caller-disabled');
  await grantPlan(s, disabled.id, 'premium');
  const disabledKey = (await makeKey(disabled)).api_key;
  const disableResponse = await admin.post(`/api/admin/users/${disabled.id}/disable`, { reason: 'Test' });
  if (disableResponse.statusCode !== 200) throw new Error(`The account could not be disabled: ${disableResponse.body}`);

  const withKey = (name: string, role: Role, scopes: readonly ApiScope[], key: string): Caller => ({
    name,
    role,
    key: scopes,
    headers: constantHeaders({ 'x-api-key': key }),
  });
  const allScopes = [...API_SCOPES];
  const proKey = (await makeKey(pro, { scopes: allScopes })).api_key;
  const premiumKey = (await makeKey(premium, { scopes: allScopes })).api_key;
  const singleScopeKey = (await makeKey(premium, { scopes: ['calendar'] })).api_key;
  const deactivatedKey = await makeKey(premium, { scopes: allScopes });
  await premium.remove(`/api/keys/${deactivatedKey.id}`);

  return [
    anonymous('visitor', {}),
    anonymous('a token that is not ours', bearer('s_nothing')),
    anonymous('no token in the header', { authorization: 'Bearer ' }),
    anonymous('another way to sign in', { authorization: `Basic ${btoa(`${admin.email}:x`)}` }),
    anonymous('a session in a cookie', { cookie: `authToken=${admin.token}; token=${admin.token}` }),
    anonymous('a session in the header of keys', { 'x-api-key': admin.token }),
    anonymous('a session that was signed out', bearer(signedOut.token)),
    anonymous('a session whose time has ended', bearer(await insertSession(s, admin.id, { expiresInMs: -1000 }))),
    anonymous('the session of a disabled account', bearer(disabled.token)),
    anonymous('a session that a disabled account still has', bearer(await insertSession(s, disabled.id))),
    anonymous('the key of a disabled account', { 'x-api-key': disabledKey }),
    anonymous('a key that was deactivated', { 'x-api-key': deactivatedKey.api_key }),
    anonymous('a key that is none', { 'x-api-key': `${API_KEY_PREFIX}nothing` }),
    signedIn('free', 'free', free),
    signedIn('a plan that has ended', 'free', expired),
    signedIn('Pro', 'pro', pro),
    signedIn('Premium+', 'premium', premium),
    signedIn('an administrator', 'admin', admin),
    withKey('the key of a plan that has ended', 'free', ['market', 'analysis', 'calendar', 'alerts'], expiredKey),
    withKey('a key of Pro', 'pro', allScopes, proKey),
    withKey('a key of Premium+', 'premium', allScopes, premiumKey),
    withKey('a key of one scope', 'premium', ['calendar'], singleScopeKey),
    {
      name: 'a key of Premium+ as a bearer token',
      role: 'premium',
      key: allScopes,
      headers: constantHeaders(bearer(premiumKey)),
    },
  ];
}

import { sql } from 'kysely';

import { hashToken } from '#features/accounts/server/auth/service.ts';
import { API_KEY_PREFIX, API_SCOPES, type ApiScope } from '#shared/contract.ts';

import { makeKey } from './api-world.ts';
import { grantPlan, type Person, person } from './people.ts';
import type { Started } from './start.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The role of a caller. */
export type Standing = 'nobody' | 'free' | 'pro' | 'premium' | 'admin';

export type Caller = {
  name: string;
  standing: Standing;
  /** The scopes of its API key; without a key it is a session or anonymous. */
  key?: readonly ApiScope[];
  /** A call that changes something gets a new session, because some of them end it. */
  headers: (method: string) => Promise<Record<string, string>>;
};

let made = 0;

/** Inserts a session; its last authentication is long ago unless given. */
export async function sessionOf(
  s: Started,
  userId: number,
  { endsInMs = DAY_MS, provedMsAgo = HOUR_MS }: { endsInMs?: number; provedMsAgo?: number } = {},
): Promise<string> {
  made += 1;
  const token = `s_made_by_the_test_${made}`;
  const now = s.clock.now().getTime();
  const [at, proved, ends] = [now, now - provedMsAgo, now + endsInMs].map((ms) => new Date(ms).toISOString());
  await sql`insert into sessions (token_hash, user_id, device, network, created_at, seen_at, proved_at, expires_at)
    values (${hashToken(token)}, ${userId}, 'Test', '10.0.0.0/24', ${at}, ${at}, ${proved}, ${ends})`.execute(
    s.product.market.ctx.db,
  );
  return token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const always = (headers: Record<string, string>) => async () => headers;

/** All kinds of callers: invalid tokens, every plan, and API keys. */
export async function openCallers(s: Started): Promise<Caller[]> {
  const signedIn = (name: string, standing: Standing, { id, token }: Person): Caller => ({
    name,
    standing,
    headers: async (method) => bearer(method === 'GET' ? token : await sessionOf(s, id)),
  });
  const nobody = (name: string, headers: Record<string, string>): Caller => ({
    name,
    standing: 'nobody',
    headers: always(headers),
  });
  // Both have used their trial, so no call can give them another plan.
  const [free, lapsed] = [await person(s, 'caller-free'), await person(s, 'caller-lapsed')];
  await free.post('/api/subscribe/trial');
  await lapsed.post('/api/subscribe/trial');
  s.product.auth.callers.forget(lapsed.id);
  const lapsedKey = (await makeKey(lapsed)).api_key;
  s.advance(12 * DAY_MS);
  const [pro, premium, admin] = [
    await person(s, 'caller-pro', 'pro'),
    await person(s, 'caller-premium', 'premium'),
    await person(s, 'caller-admin', 'admin'),
  ];

  const left = await person(s, 'caller-left', 'premium');
  await left.post('/api/auth/logout');
  const disabled = await person(s, 'caller-disabled');
  await grantPlan(s, disabled.id, 'premium');
  const disabledKey = (await makeKey(disabled)).api_key;
  const closed = await admin.post(`/api/admin/users/${disabled.id}/disable`, { reason: 'Test' });
  if (closed.statusCode !== 200) throw new Error(`The account could not be disabled: ${closed.body}`);

  const keyed = (name: string, standing: Standing, scopes: readonly ApiScope[], key: string): Caller => ({
    name,
    standing,
    key: scopes,
    headers: always({ 'x-api-key': key }),
  });
  const all = [...API_SCOPES];
  const proKey = (await makeKey(pro, { scopes: all })).api_key;
  const premiumKey = (await makeKey(premium, { scopes: all })).api_key;
  const narrowKey = (await makeKey(premium, { scopes: ['calendar'] })).api_key;
  const removed = await makeKey(premium, { scopes: all });
  await premium.remove(`/api/keys/${removed.id}`);

  return [
    nobody('nobody', {}),
    nobody('a token that is not ours', bearer('s_nothing')),
    nobody('no token in the header', { authorization: 'Bearer ' }),
    nobody('another way to sign in', { authorization: `Basic ${btoa(`${admin.email}:x`)}` }),
    nobody('a session in a cookie', { cookie: `authToken=${admin.token}; token=${admin.token}` }),
    nobody('a session in the header of keys', { 'x-api-key': admin.token }),
    nobody('a session that was signed out', bearer(left.token)),
    nobody('a session whose time has ended', bearer(await sessionOf(s, admin.id, { endsInMs: -1000 }))),
    nobody('the session of a disabled account', bearer(disabled.token)),
    nobody('a session that a disabled account still has', bearer(await sessionOf(s, disabled.id))),
    nobody('the key of a disabled account', { 'x-api-key': disabledKey }),
    nobody('a key that was deactivated', { 'x-api-key': removed.api_key }),
    nobody('a key that is none', { 'x-api-key': `${API_KEY_PREFIX}nothing` }),
    signedIn('free', 'free', free),
    signedIn('a plan that has ended', 'free', lapsed),
    signedIn('Pro', 'pro', pro),
    signedIn('Premium+', 'premium', premium),
    signedIn('an administrator', 'admin', admin),
    keyed('the key of a plan that has ended', 'free', ['market', 'analysis', 'calendar', 'alerts'], lapsedKey),
    keyed('a key of Pro', 'pro', all, proKey),
    keyed('a key of Premium+', 'premium', all, premiumKey),
    keyed('a key of one scope', 'premium', ['calendar'], narrowKey),
    {
      name: 'a key of Premium+ as a bearer token',
      standing: 'premium',
      key: all,
      headers: always(bearer(premiumKey)),
    },
  ];
}

import type { InjectOptions } from 'fastify';

import { notifyAccountChange } from '#features/accounts/server/auth/service.ts';
import { addFact } from '#features/accounts/server/subscriptions/service.ts';
import { openDatabase } from '#kernel/db.ts';
import type { Plan } from '#shared/contract.ts';

import type { TestProduct } from './start.ts';

export const PASSWORD = 'Three-Rivers-29!';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type RequestOptions = { ip?: string; agent?: string; token?: string };

/** One call, with its own address and browser. */
export function sendRequest(
  s: TestProduct,
  method: Method,
  url: string,
  body?: unknown,
  { ip, agent, token }: RequestOptions = {},
) {
  const options: InjectOptions = {
    method,
    url,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(agent ? { 'user-agent': agent } : {}),
    },
    ...(ip ? { remoteAddress: ip } : {}),
    ...(body === undefined ? {} : { payload: body as object }),
  };
  return s.product.app.inject(options);
}

export type TestUser = {
  id: number;
  email: string;
  token: string;
  get: (url: string) => ReturnType<typeof sendRequest>;
  post: (url: string, body?: unknown) => ReturnType<typeof sendRequest>;
  put: (url: string, body: unknown) => ReturnType<typeof sendRequest>;
  remove: (url: string) => ReturnType<typeof sendRequest>;
};

export function userWithToken(s: TestProduct, token: string, { id, email }: { id: number; email: string }): TestUser {
  return {
    id,
    email,
    token,
    get: (url) => sendRequest(s, 'GET', url, undefined, { token }),
    post: (url, body) => sendRequest(s, 'POST', url, body, { token }),
    put: (url, body) => sendRequest(s, 'PUT', url, body, { token }),
    remove: (url) => sendRequest(s, 'DELETE', url, undefined, { token }),
  };
}

/** Signs up without email confirmation, and grants the plan in the ledger. */
export async function registerUser(s: TestProduct, name: string, plan: Plan = 'free'): Promise<TestUser> {
  const email = `${name}@people.example`;
  const response = await sendRequest(s, 'POST', '/api/auth/register', { email, password: PASSWORD });
  if (response.statusCode !== 200) throw new Error(`${name} could not sign up: ${response.body}`);
  const { token, user } = response.json<{ token: string; user: { id: number; email: string } }>();
  if (plan !== 'free') await grantPlan(s, user.id, plan);
  return userWithToken(s, token, user);
}

/** The same user with a new session: those of administrators expire after 12 hours. */
export async function signInAgain(s: TestProduct, { id, email }: TestUser): Promise<TestUser> {
  const response = await sendRequest(s, 'POST', '/api/auth/login', { email, password: PASSWORD });
  if (response.statusCode !== 200) throw new Error(`${email} could not sign in: ${response.body}`);
  return userWithToken(s, response.json<{ token: string }>().token, { id, email });
}

/** Re-authenticates the user where the call requires it. */
export async function withReauthentication(
  user: TestUser,
  send: () => ReturnType<typeof sendRequest>,
): ReturnType<typeof sendRequest> {
  const response = await send();
  if (response.json<{ code?: string }>().code !== 'reauthentication_required') return response;
  await user.post('/api/auth/reauthenticate', { password: PASSWORD });
  return send();
}

/** A new user at each call; `started` is available by then. */
export function createUserFactory(name: string, started: () => TestProduct): () => Promise<TestUser> {
  let created = 0;
  return () => {
    created += 1;
    return registerUser(started(), `${name}${created}`);
  };
}

/** Grants a plan in the ledger; the newest one of a source counts. */
export async function grantPlan(
  s: TestProduct,
  userId: number,
  plan: Exclude<Plan, 'free'>,
  { source = 'test', endsAt = null }: { source?: string; endsAt?: Date | null } = {},
): Promise<void> {
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  const at = s.clock.now();
  if (plan === 'admin') await db.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute();
  else
    await addFact(db, {
      userId,
      source,
      plan,
      startsAt: at,
      endsAt,
      at,
      createdBy: null,
      note: '',
    });
  await notifyAccountChange(db, { user: userId, ended: 'all' });
  s.product.auth.callers.forget(userId);
  await close();
}

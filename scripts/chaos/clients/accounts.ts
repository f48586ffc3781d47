import { jsonOf } from '../call.ts';
import { attempt, type ChaosContext, type Client, callUntilAccepted, repeat } from '../context.ts';

export const PASSWORD = 'Three-Rivers-29!';
export const ADMIN = { email: 'admin@night.example', password: 'Seven-Lakes-31!' };

export type Account = { id: number; email: string; token: string; ip: string };

let count = 0;
/** A new network, because limits are per /24. */
export function newNetwork(): string {
  count += 1;
  return `10.${1 + (count >> 8)}.${count & 255}.7`;
}

type SignedIn = { token: string; user: { id: number; email: string } };

/** An account that must exist before the run begins. */
export async function createAccount(context: ChaosContext, name: string): Promise<Account> {
  const [email, ip] = [`${name}@night.example`, newNetwork()];
  const response = await callUntilAccepted(context, '/api/auth/register', {
    method: 'POST',
    ip,
    json: { email, password: PASSWORD },
  });
  const { token, user } = jsonOf<SignedIn>(response);
  return { id: user.id, email, token, ip };
}

export async function signInAdmin(context: ChaosContext): Promise<Account> {
  const ip = newNetwork();
  const response = await callUntilAccepted(context, '/api/auth/login', { method: 'POST', ip, json: ADMIN });
  const { token, user } = jsonOf<SignedIn>(response);
  return { id: user.id, email: user.email, token, ip };
}

export async function grantPlan(
  context: ChaosContext,
  admin: Account,
  target: Account,
  plan: 'pro' | 'premium',
): Promise<void> {
  const json = { plan, until: null, note: 'before the night' };
  await callUntilAccepted(context, `/api/admin/users/${target.id}/plan`, { method: 'PUT', token: admin.token, json });
}

/** New users who sign up, and sign in again: an accepted user must remain able to sign in. */
export function createSignUps(context: ChaosContext): Client & { accounts: Account[] } {
  const accounts: Account[] = [];
  const tokens: string[] = [];
  let number = 0;

  async function signUp(): Promise<void> {
    number += 1;
    const [email, ip] = [`newcomer${number}@night.example`, newNetwork()];
    const json = { email, password: PASSWORD };
    const response = await attempt(context, 'sign-up', '/api/auth/register', { method: 'POST', ip, json });
    if (!response) return;
    const { token, user } = jsonOf<SignedIn>(response);
    accounts.push({ id: user.id, email, token, ip });
    tokens.push(token);
  }

  async function signIn(): Promise<void> {
    const account = accounts[(number * 7) % Math.max(1, accounts.length)];
    if (!account) return;
    const json = { email: account.email, password: PASSWORD };
    const response = await attempt(context, 'sign-in', '/api/auth/login', { method: 'POST', ip: newNetwork(), json });
    if (response) tokens.push(jsonOf<SignedIn>(response).token);
  }

  return {
    name: 'newcomers',
    accounts,
    run: (signal) =>
      repeat(signal, 900, () => (number % 2 === 0 || accounts.length === 0 ? signUp() : signIn().then(signUp))),
    async check() {
      const failures: string[] = [];
      const rows = await context.cluster.query<{ id: string; email: string }>('select id, email from users');
      const stored = new Map(rows.map(({ id, email }) => [email, Number(id)]));
      if (stored.size !== rows.length) failures.push('an address has two accounts');
      for (const { id, email } of accounts)
        if (stored.get(email) !== id) failures.push(`the account ${email} was acknowledged and is not there`);
      for (const token of tokens) {
        const { status } = await callUntilAccepted(context, '/api/auth/user', { token }).catch(() => ({ status: 401 }));
        if (status !== 200) failures.push('a session that was acknowledged is not good any more');
      }
      return failures;
    },
  };
}

type Preferences = { notificationPreferences: { quietHours: { from: string } } };

/**
 * A user who keeps changing preferences: the last acknowledged change must be stored, or a later one with unknown
 * outcome.
 */
export function createPreferenceEditor(context: ChaosContext, account: Account): Client {
  let preferences: Preferences;
  let number = 0;
  let expectedValues = new Set<string>();
  const timeOfDay = (at: number) =>
    `${String(Math.floor(at / 60) % 24).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;

  return {
    name: `chooser ${account.email}`,
    async prepare() {
      const response = await callUntilAccepted(context, '/api/notifications/preferences', { token: account.token });
      ({ preferences } = jsonOf<{ preferences: Preferences }>(response));
      expectedValues.add(preferences.notificationPreferences.quietHours.from);
    },
    run: (signal) =>
      repeat(signal, 350, async () => {
        number += 1;
        const value = timeOfDay(number);
        const { notificationPreferences: current } = preferences;
        const json = {
          ...preferences,
          notificationPreferences: { ...current, quietHours: { ...current.quietHours, from: value } },
        };
        const options = { method: 'POST' as const, token: account.token, ip: account.ip, json };
        if (await attempt(context, 'preferences', '/api/notifications/preferences', options))
          expectedValues = new Set([value]);
        else expectedValues.add(value);
      }),
    async check() {
      const response = await callUntilAccepted(context, '/api/notifications/preferences', { token: account.token });
      const stored = jsonOf<{ preferences: Preferences }>(response).preferences.notificationPreferences.quietHours.from;
      return expectedValues.has(stored)
        ? []
        : [`preferences of ${account.email}: ${stored} stands, not ${[...expectedValues].join(' or ')}`];
    },
  };
}

/** An administrator who grants plans: each acknowledged grant must be in the ledger and in the audit log. */
export function createAdministrator(context: ChaosContext, admin: Account, accounts: readonly Account[]): Client {
  const acknowledged = new Set<string>();
  const attempted = new Set<string>();
  let number = 0;
  return {
    name: 'administrator',
    run: (signal) =>
      repeat(signal, 1200, async () => {
        number += 1;
        const target = accounts[number % Math.max(1, accounts.length)];
        if (!target) return;
        const note = `night ${number}`;
        attempted.add(note);
        const json = { plan: number % 2 ? 'pro' : 'free', until: null, note };
        const path = `/api/admin/users/${target.id}/plan`;
        if (await attempt(context, 'admin write', path, { method: 'PUT', token: admin.token, json }))
          acknowledged.add(note);
      }),
    async check() {
      const granted = await context.cluster.query<{ note: string }>(
        "select note from entitlements where source = 'admin'",
      );
      const audited = await context.cluster.query<{ note: string }>(
        "select details->>'note' as note from audit_log where action = 'plan.set'",
      );
      const count = (rows: { note: string }[], note: string) => rows.filter((row) => row.note === note).length;
      return [...attempted].flatMap((note) => {
        const [facts, entries] = [count(granted, note), count(audited, note)];
        if (facts !== entries) return [`plan "${note}": ${facts} facts, ${entries} audit entries`];
        if (facts > 1) return [`plan "${note}" was written ${facts} times`];
        return facts === 0 && acknowledged.has(note) ? [`plan "${note}" was acknowledged and is not there`] : [];
      });
    },
  };
}

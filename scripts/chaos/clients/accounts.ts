import { jsonOf } from '../call.ts';
import { ask, type Client, each, insist, type Night } from '../night.ts';

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

/** An account that must exist before the night begins. */
export async function makeAccount(night: Night, name: string): Promise<Account> {
  const [email, ip] = [`${name}@night.example`, newNetwork()];
  const answer = await insist(night, '/api/auth/register', { method: 'POST', ip, json: { email, password: PASSWORD } });
  const { token, user } = jsonOf<SignedIn>(answer);
  return { id: user.id, email, token, ip };
}

export async function signInAdmin(night: Night): Promise<Account> {
  const ip = newNetwork();
  const answer = await insist(night, '/api/auth/login', { method: 'POST', ip, json: ADMIN });
  const { token, user } = jsonOf<SignedIn>(answer);
  return { id: user.id, email: user.email, token, ip };
}

export async function givePlan(night: Night, admin: Account, to: Account, plan: 'pro' | 'premium'): Promise<void> {
  const json = { plan, until: null, note: 'before the night' };
  await insist(night, `/api/admin/users/${to.id}/plan`, { method: 'PUT', token: admin.token, json });
}

/** New users who sign up, and sign in again: an accepted user must remain able to sign in. */
export function newcomers(night: Night): Client & { known: Account[] } {
  const known: Account[] = [];
  const tokens: string[] = [];
  let number = 0;

  async function signUp(): Promise<void> {
    number += 1;
    const [email, ip] = [`newcomer${number}@night.example`, newNetwork()];
    const json = { email, password: PASSWORD };
    const answer = await ask(night, 'sign-up', '/api/auth/register', { method: 'POST', ip, json });
    if (!answer) return;
    const { token, user } = jsonOf<SignedIn>(answer);
    known.push({ id: user.id, email, token, ip });
    tokens.push(token);
  }

  async function signIn(): Promise<void> {
    const who = known[(number * 7) % Math.max(1, known.length)];
    if (!who) return;
    const json = { email: who.email, password: PASSWORD };
    const answer = await ask(night, 'sign-in', '/api/auth/login', { method: 'POST', ip: newNetwork(), json });
    if (answer) tokens.push(jsonOf<SignedIn>(answer).token);
  }

  return {
    name: 'newcomers',
    known,
    run: (signal) =>
      each(signal, 900, () => (number % 2 === 0 || known.length === 0 ? signUp() : signIn().then(signUp))),
    async check() {
      const lost: string[] = [];
      const rows = await night.cluster.query<{ id: string; email: string }>('select id, email from users');
      const stored = new Map(rows.map(({ id, email }) => [email, Number(id)]));
      if (stored.size !== rows.length) lost.push('an address has two accounts');
      for (const { id, email } of known)
        if (stored.get(email) !== id) lost.push(`the account ${email} was acknowledged and is not there`);
      for (const token of tokens) {
        const { status } = await insist(night, '/api/auth/user', { token }).catch(() => ({ status: 401 }));
        if (status !== 200) lost.push('a session that was acknowledged is not good any more');
      }
      return lost;
    },
  };
}

type Preferences = { notificationPreferences: { quietHours: { from: string } } };

/**
 * A user who keeps changing preferences: the last acknowledged change must be stored, or a later one with unknown
 * outcome.
 */
export function chooser(night: Night, who: Account): Client {
  let preferences: Preferences;
  let number = 0;
  let possible = new Set<string>();
  const from = (at: number) =>
    `${String(Math.floor(at / 60) % 24).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;

  return {
    name: `chooser ${who.email}`,
    async prepare() {
      const answer = await insist(night, '/api/notifications/preferences', { token: who.token });
      ({ preferences } = jsonOf<{ preferences: Preferences }>(answer));
      possible.add(preferences.notificationPreferences.quietHours.from);
    },
    run: (signal) =>
      each(signal, 350, async () => {
        number += 1;
        const chosen = from(number);
        const { notificationPreferences: old } = preferences;
        const json = {
          ...preferences,
          notificationPreferences: { ...old, quietHours: { ...old.quietHours, from: chosen } },
        };
        const said = { method: 'POST' as const, token: who.token, ip: who.ip, json };
        if (await ask(night, 'preferences', '/api/notifications/preferences', said)) possible = new Set([chosen]);
        else possible.add(chosen);
      }),
    async check() {
      const answer = await insist(night, '/api/notifications/preferences', { token: who.token });
      const stored = jsonOf<{ preferences: Preferences }>(answer).preferences.notificationPreferences.quietHours.from;
      return possible.has(stored)
        ? []
        : [`preferences of ${who.email}: ${stored} stands, not ${[...possible].join(' or ')}`];
    },
  };
}

/** An administrator who grants plans: each acknowledged grant must be in the ledger and in the audit log. */
export function administrator(night: Night, admin: Account, newcomersKnown: readonly Account[]): Client {
  const notes = new Set<string>();
  const tried = new Set<string>();
  let number = 0;
  return {
    name: 'administrator',
    run: (signal) =>
      each(signal, 1200, async () => {
        number += 1;
        const to = newcomersKnown[number % Math.max(1, newcomersKnown.length)];
        if (!to) return;
        const note = `night ${number}`;
        tried.add(note);
        const json = { plan: number % 2 ? 'pro' : 'free', until: null, note };
        const path = `/api/admin/users/${to.id}/plan`;
        if (await ask(night, 'admin write', path, { method: 'PUT', token: admin.token, json })) notes.add(note);
      }),
    async check() {
      const written = await night.cluster.query<{ note: string }>(
        "select note from entitlements where source = 'admin'",
      );
      const audited = await night.cluster.query<{ note: string }>(
        "select details->>'note' as note from audit_log where action = 'plan.set'",
      );
      const count = (rows: { note: string }[], note: string) => rows.filter((row) => row.note === note).length;
      return [...tried].flatMap((note) => {
        const [facts, entries] = [count(written, note), count(audited, note)];
        if (facts !== entries) return [`plan "${note}": ${facts} facts, ${entries} audit entries`];
        if (facts > 1) return [`plan "${note}" was written ${facts} times`];
        return facts === 0 && notes.has(note) ? [`plan "${note}" was acknowledged and is not there`] : [];
      });
    },
  };
}

import { PLAN_NAMES } from '#features/accounts/contract/subscriptions.ts';
import { addFact } from '#features/accounts/server/subscriptions/service.ts';
import { audit } from '#kernel/audit.ts';
import { ConfigError } from '#kernel/config.ts';
import type { Plan } from '#shared/contract.ts';
import { ADMIN_GUESSES } from '#shared/guesses.ts';
import { notifyAccountChange } from '../account-changes.ts';
import type { AuthContext } from '../context.ts';
import { estimateGuesses, hashPassword } from '../passwords.ts';
import {
  findUserByEmail,
  insertUser,
  lockUserByEmail,
  markVerified,
  setPasswordHash,
  setRole,
} from '../store/users.ts';
import { endSessions } from './sessions.ts';

export const DEMO_PASSWORD = 'Meridian-demo-1';
const DEMO_PLANS: readonly Plan[] = ['free', 'pro', 'premium', 'admin'];

export type DemoAccount = { plan: Plan; planName: string; email: string; password: string };

export const DEMO_ACCOUNTS: readonly DemoAccount[] = DEMO_PLANS.map((plan) => ({
  plan,
  planName: PLAN_NAMES[plan],
  email: `${plan}@meridian.example`,
  password: DEMO_PASSWORD,
}));

/** One account per plan, in demo mode only. Existing accounts are unchanged. */
export async function createDemoAccounts(ctx: AuthContext): Promise<void> {
  for (const { plan, email, password } of DEMO_ACCOUNTS) {
    if (await findUserByEmail(ctx.db, email)) continue;
    const passwordHash = await hashPassword(password);
    const at = ctx.now();
    await ctx.db.transaction().execute(async (tx) => {
      const role = plan === 'admin' ? 'admin' : 'user';
      const user = await insertUser(tx, { email, passwordHash, passwordWeak: false, verifiedAt: at, role, at });
      if (!user || (plan !== 'pro' && plan !== 'premium')) return;
      const fact = { userId: user.id, source: 'demo', plan, startsAt: at, endsAt: null };
      await addFact(tx, { ...fact, at, createdBy: null, note: 'Demo account' });
    });
  }
}

/**
 * The administrator named in the configuration. A confirmed account keeps its password and is promoted; an unconfirmed
 * one may be a stranger's, so its password is replaced by the configured one and all its sessions end.
 */
export async function createFirstAdmin(ctx: AuthContext): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ctx.config;
  if (!email || !password) return;
  const at = ctx.now();
  const existing = await findUserByEmail(ctx.db, email);
  if (existing?.role === 'admin') return;
  if (ctx.mode !== 'demo' && (await estimateGuesses(password, email)) < ADMIN_GUESSES)
    throw new ConfigError(
      'ADMIN_PASSWORD is too easy to guess: use several words, or at least 12 random characters. No administrator was created.',
    );
  const passwordHash = await hashPassword(password);
  await ctx.db.transaction().execute(async (tx) => {
    const account = { email, passwordHash, passwordWeak: false, verifiedAt: at, role: 'admin' as const, at };
    const created = await insertUser(tx, account);
    // Another process or the user may have created it since: read the current state.
    const user = created ?? (await lockUserByEmail(tx, email));
    if (!user || (!created && user.role === 'admin')) return;
    if (!created && user.email_verified_at === null) {
      await setPasswordHash(tx, user.id, passwordHash, false);
      await markVerified(tx, user.id, at);
      await endSessions(tx, { userId: user.id, which: 'all', at, actorId: null });
    }
    if (!created) await setRole(tx, user.id, 'admin');
    await audit(tx, { at, actorId: null, subjectId: user.id, action: 'admin.appoint', details: { by: 'ADMIN_EMAIL' } });
    await notifyAccountChange(tx, { user: user.id, ended: 'all' });
  });
}

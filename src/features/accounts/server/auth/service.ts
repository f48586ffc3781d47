import type { Listener } from '#kernel/listener.ts';
import type { Live } from '#kernel/live/live.ts';
import { ACCOUNTS_CHANNEL, parseAccountChange } from './account-changes.ts';
import { type Callers, createCallers } from './callers.ts';
import type { AuthContext } from './context.ts';
import { makeDemoAccounts, makeFirstAdmin } from './service/first-accounts.ts';

export { ACCOUNTS_CHANNEL, notifyAccountChange, parseAccountChange } from './account-changes.ts';
export { bearerIn } from './callers.ts';
export { type AuthContext, confirmationRequired } from './context.ts';
export {
  forgiveBackupCodes,
  forgiveSecondFactor,
  limitBackupCode,
  limitMail,
  limitNetwork,
  limitPerson,
  limitSecondFactor,
  mayMail,
} from './limits.ts';
export { accountDisabledMail, planChangedMail } from './mails/account.ts';
export { passkeyChangedMail, twoFactorChangedMail, wrongCodesMail } from './mails/security.ts';
export { type Origin, originOf } from './origin.ts';
export { reportAccess } from './service/access.ts';
export { deleteAccountOf, disableAccount, enableAccount } from './service/close-account.ts';
export { cancelEmailChange, requestEmailChange } from './service/email-change.ts';
export { DEMO_ACCOUNTS, DEMO_PASSWORD } from './service/first-accounts.ts';
export { makeToken, securityPage, signInPages } from './service/links.ts';
export { redeemTicket } from './service/login.ts';
export { prove, requireProof } from './service/proof.ts';
export { postConfirmation } from './service/registration.ts';
export { endSessions, listSessions, openSession, viewOf } from './service/sessions.ts';
export { countAttempt, hasSecondFactor } from './store/access.ts';
export { dropLinks, findLink, spendLink } from './store/links.ts';
export { ageProofs } from './store/sessions.ts';
export { getUser, setNotifications } from './store/users.ts';
export { hashOf } from './tokens.ts';

export type Auth = {
  ctx: AuthContext;
  callers: Callers;
  /** Subscribes to invalidations from other processes. */
  start: () => Promise<void>;
  /** Waits for work running after responses. */
  settled: () => Promise<unknown>;
};

type Deps = Omit<AuthContext, 'afterwards' | 'farewells'> & { listener: Listener; live: Live };

/** Account services of one process: callers, and invalidations from other processes. */
export function createAuth({ listener, live, ...deps }: Deps): Auth {
  const pending = new Set<Promise<unknown>>();
  const ctx: AuthContext = {
    ...deps,
    farewells: [],
    afterwards(what, work) {
      const running = work()
        .catch((error: unknown) => deps.report('auth', 'authentication', `${what} failed`, error))
        .finally(() => pending.delete(running));
      pending.add(running);
    },
  };
  const callers = createCallers(ctx);
  const hear = (payload: string) => {
    const { user, ended } = parseAccountChange(payload);
    callers.forget(user);
    live.hub.closeStreams(user, ended);
  };
  return {
    ctx,
    callers,
    async start() {
      // Notifications may have been missed: every account stream reconnects.
      await listener.listen(ACCOUNTS_CHANNEL, hear, () => {
        callers.forgetAll();
        live.hub.closeStreams('everyone', 'all');
      });
      await makeFirstAdmin(ctx);
      if (ctx.mode === 'demo') await makeDemoAccounts(ctx);
    },
    settled: () => Promise.allSettled(pending),
  };
}

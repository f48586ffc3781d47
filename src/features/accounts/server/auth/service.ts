import type { Listener } from '#kernel/listener.ts';
import type { Live } from '#kernel/live/live.ts';
import { ACCOUNTS_CHANNEL, parseAccountChange } from './account-changes.ts';
import { type Callers, createCallers } from './callers.ts';
import type { AuthContext } from './context.ts';
import { createDemoAccounts, createFirstAdmin } from './service/first-accounts.ts';

export { ACCOUNTS_CHANNEL, notifyAccountChange, parseAccountChange } from './account-changes.ts';
export { readBearer } from './callers.ts';
export { type AuthContext, confirmationRequired } from './context.ts';
export {
  canSendMail,
  limitBackupCode,
  limitMail,
  limitNetwork,
  limitSecondFactor,
  limitUser,
  resetBackupCodeAttempts,
  resetSecondFactorAttempts,
} from './limits.ts';
export { accountDisabledMail, planChangedMail } from './mails/account.ts';
export { passkeyChangedMail, twoFactorChangedMail, wrongCodesMail } from './mails/security.ts';
export { type Origin, toOrigin } from './origin.ts';
export { notifyAccessAdded } from './service/access.ts';
export { deleteAccountById, disableAccount, enableAccount } from './service/close-account.ts';
export { cancelEmailChange, requestEmailChange } from './service/email-change.ts';
export { DEMO_ACCOUNTS, DEMO_PASSWORD } from './service/first-accounts.ts';
export { createToken, securityPageUrl, signInUrls } from './service/links.ts';
export { redeemTicket } from './service/login.ts';
export { requireProof, verifyProof } from './service/proof.ts';
export { sendConfirmation } from './service/registration.ts';
export { endSessions, listSessions, openSession, toView } from './service/sessions.ts';
export { countAttempt, hasSecondFactor } from './store/access.ts';
export { consumeLink, deleteLinks, findLink } from './store/links.ts';
export { expireProofs } from './store/sessions.ts';
export { getUser, setNotifications } from './store/users.ts';
export { hashToken } from './tokens.ts';

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
  const onAccountChange = (payload: string) => {
    const { user, ended } = parseAccountChange(payload);
    callers.forget(user);
    live.hub.closeStreams(user, ended);
  };
  return {
    ctx,
    callers,
    async start() {
      // Notifications may have been missed: every account stream reconnects.
      await listener.listen(ACCOUNTS_CHANNEL, onAccountChange, () => {
        callers.forgetAll();
        live.hub.closeStreams('everyone', 'all');
      });
      await createFirstAdmin(ctx);
      if (ctx.mode === 'demo') await createDemoAccounts(ctx);
    },
    settled: () => Promise.allSettled(pending),
  };
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  changePassword,
  confirmEmail,
  deleteAccount,
  endRemainingAccess,
  endSession,
  endSessions,
  exchangeToken,
  forgotPassword,
  getRemainingAccess,
  getSignInOptions,
  getUser,
  issueStreamTicket,
  listSessions,
  login,
  logout,
  reauthenticate,
  register,
  resendConfirmation,
  resetPassword,
} from '#features/accounts/contract/auth.ts';
import { hasAccess, route } from '#kernel/route.ts';
import type { Topic } from '#shared/contract.ts';
import { type AuthContext, confirmationRequired } from './context.ts';
import { toOrigin } from './origin.ts';
import * as access from './service/access.ts';
import * as deletion from './service/close-account.ts';
import { DEMO_ACCOUNTS } from './service/first-accounts.ts';
import { CONFIRM_PAGE } from './service/links.ts';
import * as signingIn from './service/login.ts';
import { issueTicket } from './service/login.ts';
import * as proof from './service/proof.ts';
import * as signingUp from './service/registration.ts';
import { confirm } from './service/registration.ts';
import * as resets from './service/reset.ts';
import * as sessions from './service/sessions.ts';
import { getUser as userOf } from './store/users.ts';

/** `topics` are those of the stream. */
export function authRoutes(app: FastifyInstance, ctx: AuthContext, topics: readonly Topic[]): void {
  route(app, getSignInOptions, () => ({
    confirmationRequired: confirmationRequired(ctx),
    signUpsOpen: ctx.config.SIGN_UPS !== 'closed',
    demoAccounts: ctx.mode === 'demo' ? [...DEMO_ACCOUNTS] : [],
  }));
  route(app, login, ({ body, from }) => signingIn.login(ctx, body, toOrigin(from)));
  route(app, register, ({ body, from }) => signingUp.register(ctx, body, toOrigin(from)));
  route(app, forgotPassword, ({ body, from }) => resets.forgotPassword(ctx, body.email, toOrigin(from)));
  route(app, resendConfirmation, ({ body, from }) => resets.resendConfirmation(ctx, body.email, toOrigin(from)));
  route(app, resetPassword, async ({ body, from }) => {
    const left = await resets.resetPassword(ctx, body, toOrigin(from));
    return { success: true as const, message: 'Your password has been reset.', ...left };
  });
  route(app, getRemainingAccess, ({ body }) => access.remainingAccess(ctx, body.token));
  route(app, endRemainingAccess, async ({ body, from }) => {
    await access.revokeRemainingAccess(ctx, body.token, toOrigin(from));
    return { success: true as const };
  });
  route(app, confirmEmail, ({ body, from }) => confirm(ctx, body.token, toOrigin(from)));
  route(app, exchangeToken, ({ body }) => sessions.exchangeToken(ctx, body.token));
  route(app, logout, async ({ caller }) => {
    await sessions.logout(ctx, caller);
    return { success: true as const };
  });
  route(app, getUser, async ({ caller }) => sessions.toView(ctx, await userOf(ctx.db, caller.userId)));
  route(app, reauthenticate, ({ caller, body }) => proof.reauthenticate(ctx, caller, body.password));
  route(app, changePassword, async ({ caller, body, from }) => {
    await proof.changePassword(ctx, caller, body, toOrigin(from));
    return { success: true as const };
  });
  route(app, deleteAccount, async ({ caller }) => {
    await deletion.deleteAccount(ctx, caller);
    return { message: 'Account deleted successfully. A confirmation email has been sent.' };
  });
  route(app, listSessions, async ({ caller }) => ({ sessions: await sessions.listSessions(ctx, caller) }));
  route(app, endSession, async ({ caller, params }) => {
    await sessions.endOneSession(ctx, caller, Number(params.id));
    return { success: true as const };
  });
  route(app, endSessions, async ({ caller, body }) => ({
    ended: await sessions.endOwnSessions(ctx, caller, body.keepCurrent),
  }));
  const closed = topics.filter(({ access }) => access !== 'public');
  route(app, issueStreamTicket, async ({ caller }) => ({
    ...(await issueTicket(ctx, caller)),
    topics: closed.filter(({ access }) => hasAccess(access, caller)).map(({ name }) => name),
  }));
  earlierLinks(app);
}

/** Target of links in older emails. Opening one has no effect, since mail scanners open them too. */
function earlierLinks(app: FastifyInstance): void {
  for (const path of ['/api/auth/confirm-email', '/api/auth/confirm-address'])
    app.get(path, (request: FastifyRequest, reply) => {
      const { token } = request.query as { token?: string | string[] };
      const search = typeof token === 'string' ? `?token=${encodeURIComponent(token)}` : '';
      return reply.header('referrer-policy', 'no-referrer').redirect(`${CONFIRM_PAGE}${search}`, 302);
    });
}

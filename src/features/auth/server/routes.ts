import type { FastifyInstance, FastifyRequest } from 'fastify';

import { hasAccess, route } from '#server/platform/route.ts';
import type { Topic } from '#shared/contract.ts';

import {
  changePassword,
  deleteAccount,
  endSession,
  endSessions,
  forgotPassword,
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
} from '../contract.ts';
import { type AuthContext, confirmationRequired } from './context.ts';
import { originOf } from './origin.ts';
import { confirmEmail, confirmNewEmail } from './service/confirm.ts';
import * as deletion from './service/delete-account.ts';
import { DEMO_ACCOUNTS } from './service/first-accounts.ts';
import * as signingIn from './service/login.ts';
import * as proof from './service/proof.ts';
import * as signingUp from './service/register.ts';
import * as resets from './service/reset.ts';
import * as sessions from './service/sessions.ts';
import { issueTicket } from './service/stream-ticket.ts';
import { getUser as userOf } from './store/users.ts';

/** `topics` are those of the stream. */
export function authRoutes(app: FastifyInstance, ctx: AuthContext, topics: readonly Topic[]): void {
  route(app, getSignInOptions, () => ({
    confirmationRequired: confirmationRequired(ctx),
    signUpsOpen: ctx.config.SIGN_UPS !== 'closed',
    demoAccounts: ctx.mode === 'demo' ? [...DEMO_ACCOUNTS] : [],
  }));
  route(app, login, ({ body, from }) => signingIn.login(ctx, body, originOf(from)));
  route(app, register, ({ body, from }) => signingUp.register(ctx, body, originOf(from)));
  route(app, forgotPassword, ({ body, from }) => resets.forgotPassword(ctx, body.email, originOf(from)));
  route(app, resendConfirmation, ({ body, from }) => resets.resendConfirmation(ctx, body.email, originOf(from)));
  route(app, resetPassword, async ({ body, from }) => {
    await resets.resetPassword(ctx, body, originOf(from));
    return { success: true as const, message: 'Your password has been reset.' };
  });
  route(app, logout, async ({ caller }) => {
    await sessions.logout(ctx, caller);
    return { success: true as const };
  });
  route(app, getUser, async ({ caller }) => sessions.viewOf(ctx, await userOf(ctx.db, caller.userId)));
  route(app, reauthenticate, ({ caller, body }) => proof.reauthenticate(ctx, caller, body.password));
  route(app, changePassword, async ({ caller, body, from }) => {
    await proof.changePassword(ctx, caller, body, originOf(from));
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
  mailLinks(app, ctx);
}

/** What links in mails lead to. HEAD answers without touching the link: mail scanners look before people do. */
function mailLinks(app: FastifyInstance, ctx: AuthContext): void {
  const links = {
    '/api/auth/confirm-email': confirmEmail,
    '/api/auth/confirm-address': confirmNewEmail,
  };
  for (const [path, confirm] of Object.entries(links)) {
    app.head(path, (_request, reply) => reply.code(204).send());
    app.get(path, async (request: FastifyRequest, reply) => {
      const { token } = request.query as { token?: string | string[] };
      const origin = originOf({ ip: request.ip, agent: request.headers['user-agent'] });
      const next = await confirm(ctx, typeof token === 'string' ? token : undefined, origin);
      return reply.header('referrer-policy', 'no-referrer').redirect(next, 302);
    });
  }
}

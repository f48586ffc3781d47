import type { FastifyInstance } from 'fastify';
import { type AuthContext, requireProof, toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  countUsers,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  getMail,
  getUserDetail,
  getUserReceipt,
  listAudit,
  listMail,
  listUsers,
  resendUserConfirmation,
  setUserPlan,
} from '#features/operations/contract/admin.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { MailBody } from '#kernel/mail/smtp.ts';
import { type Caller, downloadBuffered, type RequestOrigin, route } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import type { AdminContext } from './context.ts';
import { drawUserReceipt, readAudit, readDetail } from './service/audit-log.ts';
import * as accounts from './service/users.ts';
import * as users from './service/users.ts';
import { findEmail, findMail, newestMails } from './store.ts';

export function auditRoutes(app: FastifyInstance, deps: { db: Db }): void {
  route(app, listAudit, ({ query }) => readAudit(deps, query));
}

const PAGE = 50;
const WIPED = 'The text of this email was deleted when it was sent.';
const UNREADABLE = 'The text of this email cannot be decrypted: it was encrypted with a different secret key.';
const instead = (sentence: string) => ({ html: `<p>${sentence}</p>`, text: sentence, linksHidden: false });

/** A link with a token gives access to an account, or changes its address. */
const withoutTokens = (text: string) => text.replaceAll(/([?&;]token=)[^\s"'<>&#]+/g, '$1hidden');

function shown({ html, text }: Pick<MailBody, 'html' | 'text'>) {
  const without = { html: withoutTokens(html), text: withoutTokens(text) };
  return { ...without, linksHidden: without.html !== html || without.text !== text };
}

export function mailRoutes(app: FastifyInstance, ctx: AuthContext): void {
  const { db, now, mail, mode } = ctx;
  route(app, listMail, async ({ query: { q, before } }) => {
    const wanted = { q, before: before === undefined ? undefined : Number(before), count: PAGE + 1 };
    const mails = await newestMails(db, wanted);
    return { mails: mails.slice(0, PAGE), delivery: mail.delivery, more: mails.length > PAGE };
  });
  route(app, getMail, async ({ params, caller }) => {
    await requireProof(ctx, caller);
    const found = await findMail(db, Number(params.id));
    if (!found) throw new AppError('not_found', 'Email not found');
    const entry = { actorId: caller.userId, subjectId: null, action: 'mail.read', details: { mail: found.mail.id } };
    await audit(db, { at: now(), ...entry });
    if (found.sealed === null) return { ...found.mail, ...instead(WIPED) };
    const body = mail.openBody(found.sealed);
    if (!body) return { ...found.mail, ...instead(UNREADABLE) };
    const isOpen = mode === 'demo' || found.mail.to === (await findEmail(db, caller.userId));
    return { ...found.mail, ...(isOpen ? { ...body, linksHidden: false } : shown(body)) };
  });
}

type Asked = { caller: Caller; from: RequestOrigin; params: { id: string } };
const toAdminAction = ({ caller, from, params }: Asked): accounts.AdminAction => ({
  caller,
  origin: toOrigin(from),
  userId: Number(params.id),
});

export function userRoutes(app: FastifyInstance, ctx: AdminContext): void {
  route(app, listUsers, ({ query }) => users.listUsers(ctx, query.q));
  route(app, countUsers, async ({ query }) => ({ total: await users.countUsers(ctx, query.q) }));
  route(app, getUserDetail, ({ params }) => readDetail(ctx, Number(params.id)));
  route(app, setUserPlan, ({ caller, params, body, from }) =>
    users.setPlan(ctx, caller, toOrigin(from), Number(params.id), body),
  );
  route(app, deleteUser, (asked) => accounts.remove(ctx, toAdminAction(asked)));
  route(app, disableUser, (asked) => accounts.disable(ctx, toAdminAction(asked), asked.body.reason));
  route(app, enableUser, (asked) => accounts.enable(ctx, toAdminAction(asked)));
  route(app, resendUserConfirmation, (asked) => accounts.resendConfirmation(ctx, toAdminAction(asked)));
  route(app, endUserSessions, (asked) => accounts.signOut(ctx, toAdminAction(asked), asked.body.session));
  downloadBuffered(app, getUserReceipt, async ({ caller, params, from }) => {
    const wanted = { userId: Number(params.id), receipt: params.receipt };
    const { number, bytes } = await drawUserReceipt(ctx, caller, toOrigin(from), wanted);
    const fileName = `${BRAND.name.toLowerCase()}-receipt-${number.replaceAll(/[^\w-]/g, '-')}.pdf`;
    return { type: 'application/pdf', fileName, bytes };
  });
}

import type { FastifyInstance } from 'fastify';
import { type AuthContext, requireProof } from '#features/accounts/server/auth/service.ts';
import { getMail, listMail } from '#features/operations/contract/admin.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { MailBody } from '#kernel/mail/message.ts';
import { route } from '#kernel/route.ts';
import { addressOf, findMail, newestMails } from '../store/mail.ts';

const PAGE = 50;
const WIPED = 'The text of this email was deleted when it was sent.';
const UNREADABLE = 'The text of this email cannot be decrypted: it was encrypted with a different secret key.';
const instead = (sentence: string) => ({ html: `<p>${sentence}</p>`, text: sentence, linksHidden: false });

/** A link with a token opens an account, or moves it to another address. */
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
    const body = mail.findBody(found.sealed);
    if (!body) return { ...found.mail, ...instead(UNREADABLE) };
    const isOpen = mode === 'demo' || found.mail.to === (await addressOf(db, caller.userId));
    return { ...found.mail, ...(isOpen ? { ...body, linksHidden: false } : shown(body)) };
  });
}

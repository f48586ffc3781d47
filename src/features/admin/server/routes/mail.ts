import type { FastifyInstance } from 'fastify';
import { getMail, listMail } from '#features/admin/contract.ts';
import { audit } from '#server/platform/audit.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Mail } from '#server/platform/mail/mail.ts';
import { route } from '#server/platform/route.ts';
import { findMail, newestMails } from '../store/mail.ts';

type Deps = { db: Db; now: () => Date; mail: Mail };

const PAGE = 50;
const WIPED = 'The text of this mail was wiped when it was sent.';
const UNREADABLE = 'The text of this mail cannot be opened: it was sealed with another secret key.';
const instead = (sentence: string) => ({ html: `<p>${sentence}</p>`, text: sentence });

export function mailRoutes(app: FastifyInstance, { db, now, mail }: Deps): void {
  route(app, listMail, async ({ query: { q, before } }) => {
    const wanted = { q, before: before === undefined ? undefined : Number(before), count: PAGE + 1 };
    const mails = await newestMails(db, wanted);
    return { mails: mails.slice(0, PAGE), delivery: mail.delivery, more: mails.length > PAGE };
  });
  route(app, getMail, async ({ params, caller }) => {
    const found = await findMail(db, Number(params.id));
    if (!found) throw new AppError('not_found', 'There is no such mail');
    const entry = { actorId: caller.userId, subjectId: null, action: 'mail.read', details: { mail: found.mail.id } };
    // Its links would sign in as somebody else.
    await audit(db, { at: now(), ...entry });
    if (found.sealed === null) return { ...found.mail, ...instead(WIPED) };
    return { ...found.mail, ...(mail.findBody(found.sealed) ?? instead(UNREADABLE)) };
  });
}

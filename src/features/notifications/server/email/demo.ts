import type { FastifyInstance } from 'fastify';
import { type DemoMailHead, getDemoMail, listDemoMails } from '#features/notifications/contract/email.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type Caller, route } from '#kernel/route.ts';
import type { EmailContext } from './context.ts';

const selectMailsTo = (db: Db, address: string) =>
  db.selectFrom('mail_outbox').select(['id', 'subject', 'kind', 'created_at as at']).where('address', '=', address);

async function findAddress(db: Db, userId: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
  return user?.email;
}

/** Newest first. */
const findNewestMails = (db: Db, address: string, count: number): Promise<DemoMailHead[]> =>
  selectMailsTo(db, address).orderBy('id', 'desc').limit(count).execute();

/** `body` is encrypted. */
const findMailTo = (
  db: Db,
  address: string,
  id: number,
): Promise<(DemoMailHead & { body: string | null }) | undefined> =>
  selectMailsTo(db, address).select('body').where('id', '=', id).executeTakeFirst();

const MAX_SHOWN = 30;

/** Demo mode only: the mailbox of the signed-in user, since no email is sent. */
export function demoMailsRoutes(app: FastifyInstance, { db, mail }: Pick<EmailContext, 'db' | 'mail'>): void {
  async function readAddress({ userId }: Caller): Promise<string> {
    const address = await findAddress(db, userId);
    if (address === undefined) throw new AppError('not_found', 'Account not found');
    return address;
  }

  route(app, listDemoMails, async ({ caller }) => {
    const address = await readAddress(caller);
    return { address, mails: await findNewestMails(db, address, MAX_SHOWN) };
  });
  route(app, getDemoMail, async ({ caller, params }) => {
    const found = await findMailTo(db, await readAddress(caller), Number(params.id));
    const body = found?.body ? mail.openBody(found.body) : undefined;
    if (!found || !body) throw new AppError('not_found', 'Email not found');
    const { id, subject, kind, at } = found;
    return { id, subject, kind, at, html: body.html };
  });
}

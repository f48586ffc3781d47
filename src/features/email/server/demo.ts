import type { FastifyInstance } from 'fastify';

import { AppError } from '#server/platform/errors.ts';
import { type Caller, route } from '#server/platform/route.ts';

import { getDemoMail, listDemoMails } from '../contract.ts';
import type { EmailContext } from './context.ts';
import { findAddress, findMailTo, newestTo } from './demo-store.ts';

const MOST_SHOWN = 30;

/** Demo mode only: the mailbox of who is signed in, as nothing is mailed. */
export function demoMailsRoutes(app: FastifyInstance, { db, mail }: Pick<EmailContext, 'db' | 'mail'>): void {
  async function addressOf({ userId }: Caller): Promise<string> {
    const address = await findAddress(db, userId);
    if (address === undefined) throw new AppError('not_found', 'There is no such account');
    return address;
  }

  route(app, listDemoMails, async ({ caller }) => {
    const address = await addressOf(caller);
    return { address, mails: await newestTo(db, address, MOST_SHOWN) };
  });
  route(app, getDemoMail, async ({ caller, params }) => {
    const found = await findMailTo(db, await addressOf(caller), Number(params.id));
    const body = found?.body ? mail.findBody(found.body) : undefined;
    if (!found || !body) throw new AppError('not_found', 'There is no such mail');
    const { id, subject, kind, at } = found;
    return { id, subject, kind, at, html: body.html };
  });
}

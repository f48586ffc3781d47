import { openDatabase } from '#kernel/db.ts';
import '#kernel/mail/outbox.ts';

import { ask } from './people.ts';
import type { Started } from './start.ts';

export type Received = { kind: string; subject: string; html: string; text: string; links: URL[] };

/** What was written to an address, oldest first, as far as it has not been sent. */
export async function mailsTo(s: Started, address: string): Promise<Received[]> {
  await s.product.auth.settled();
  const { db, close } = openDatabase(s.connection, () => undefined, 1);
  try {
    const rows = await db
      .selectFrom('mail_outbox')
      .select(['kind', 'subject', 'body'])
      .where('address', '=', address)
      .orderBy('id')
      .execute();
    return rows.flatMap(({ kind, subject, body }) => {
      const open = body === null ? undefined : s.product.mail.findBody(body);
      if (!open) return [];
      const links = [...open.text.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link));
      return [{ kind, subject, html: open.html, text: open.text, links }];
    });
  } finally {
    await close();
  }
}

/** Path and query of the newest mail's link of one kind. */
export async function newestLink(s: Started, address: string, kind: string): Promise<string> {
  const mail = (await mailsTo(s, address)).findLast((each) => each.kind === kind);
  const link = mail?.links.find(({ search }) => search.includes('token='));
  if (!link) throw new Error(`No mail of kind ${kind} was written to ${address}`);
  return link.pathname + link.search;
}

/** What the page that a confirmation link opens does: it confirms by a call. */
export const openConfirmation = (s: Started, link: string) => {
  const { pathname, searchParams } = new URL(link, 'http://x');
  if (pathname !== '/auth/confirm') throw new Error(`The link leads to ${pathname}`);
  return ask(s, 'POST', '/api/auth/confirm', { token: searchParams.get('token') ?? '' });
};

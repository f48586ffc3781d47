import { openDatabase } from '#server/platform/db.ts';
import '#server/platform/mail/outbox.ts';

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

import '#kernel/mail/outbox.ts';
import { type Challenge, challengeResult } from '#features/contact/contract.ts';
import { openDatabase } from '#kernel/db.ts';

import { sendRequest } from './people.ts';
import type { TestProduct } from './start.ts';

export type Received = { kind: string; subject: string; html: string; text: string; links: URL[] };

/** Unsent emails to an address, oldest first. */
export async function emailsTo(s: TestProduct, address: string): Promise<Received[]> {
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
      const opened = body === null ? undefined : s.product.mail.openBody(body);
      if (!opened) return [];
      const links = [...opened.text.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link));
      return [{ kind, subject, html: opened.html, text: opened.text, links }];
    });
  } finally {
    await close();
  }
}

/** Path and query of the link of one kind in the newest email. */
export async function newestLink(s: TestProduct, address: string, kind: string): Promise<string> {
  const mail = (await emailsTo(s, address)).findLast((each) => each.kind === kind);
  const link = mail?.links.find(({ search }) => search.includes('token='));
  if (!link) throw new Error(`No mail of kind ${kind} was written to ${address}`);
  return link.pathname + link.search;
}

/** The call made by the page of a confirmation link. */
export const openConfirmation = (s: TestProduct, link: string) => {
  const { pathname, searchParams } = new URL(link, 'http://x');
  if (pathname !== '/auth/confirm') throw new Error(`The link leads to ${pathname}`);
  return sendRequest(s, 'POST', '/api/auth/confirm', { token: searchParams.get('token') ?? '' });
};

export const CONTACT_MESSAGE = {
  name: 'Ann',
  email: 'ann@example.com',
  subject: 'A wrong number',
  message: 'The price of SUI has been the same for an hour.',
};

export type FormFields = Record<string, string | Blob>;
type Response = Awaited<ReturnType<TestProduct['get']>>;

/** Status and message of a refusal. */
export const statusAndError = (response: Response) => ({
  status: response.statusCode,
  error: response.json<{ error?: string }>().error,
});
export const refusal = (error: string, status = 400) => ({ status, error });
export const imageBlob = (bytes: Buffer, type = 'image/png') => new Blob([new Uint8Array(bytes)], { type });

/** Calls of the contact page, from separate networks. */
export function contactPage(s: TestProduct) {
  let network = 1;
  const sender = () => ({ remoteAddress: `10.1.${network}.7` });
  const newChallenge = async () => (await s.get('/api/contact/challenge')).json<Challenge>();
  return {
    from: sender,
    newSum: newChallenge,
    /** Switches to another network, because limits are per network. */
    switchNetwork: () => void (network += 1),
    /** A message with the correct answer to a new question. */
    async solvedForm(overrides: FormFields = {}): Promise<FormFields> {
      const challenge = await newChallenge();
      return {
        ...CONTACT_MESSAGE,
        captchaAnswer: String(challengeResult(challenge)),
        challenge: challenge.challenge,
        ...overrides,
      };
    },
    async send(fields: FormFields, headers: Record<string, string> = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        if (value instanceof Blob) form.append(name, value, '../../x.png');
        else form.append(name, value);
      }
      const encoded = new Response(form);
      return s.product.app.inject({
        method: 'POST',
        url: '/api/contact',
        ...sender(),
        headers: { 'content-type': encoded.headers.get('content-type') ?? '', ...headers },
        payload: Buffer.from(await encoded.arrayBuffer()),
      });
    },
    rows: () => s.product.market.ctx.db.selectFrom('contact_messages').selectAll().orderBy('id').execute(),
    mails: (kind: string) =>
      s.product.market.ctx.db
        .selectFrom('mail_outbox')
        .select(['address', 'subject'])
        .where('kind', '=', kind)
        .execute(),
  };
}

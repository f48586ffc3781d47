import { type Challenge, resultOf } from '#features/contact/contract.ts';

import type { Started } from './start.ts';

export const LETTER = {
  name: 'Ann',
  email: 'ann@example.com',
  subject: 'A wrong number',
  message: 'The price of SUI has been the same for an hour.',
};

export type Fields = Record<string, string | Blob>;
type Answer = Awaited<ReturnType<Started['get']>>;

/** What a refusal says, and how. */
export const told = (answer: Answer) => ({ status: answer.statusCode, error: answer.json<{ error?: string }>().error });
export const refusal = (error: string, status = 400) => ({ status, error });
export const picture = (bytes: Buffer, type = 'image/png') => new Blob([new Uint8Array(bytes)], { type });

/** The contact page's calls, from networks of one's own. */
export function contactPage(s: Started) {
  let network = 1;
  const from = () => ({ remoteAddress: `10.1.${network}.7` });
  const newSum = async () => (await s.get('/api/contact/challenge')).json<Challenge>();
  return {
    from,
    newSum,
    /** The limits are those of a network. */
    moveOn: () => void (network += 1),
    /** A letter with the right answer to a sum of its own. */
    async answered(more: Fields = {}): Promise<Fields> {
      const sum = await newSum();
      return { ...LETTER, captchaAnswer: String(resultOf(sum)), challenge: sum.challenge, ...more };
    },
    async send(fields: Fields, headers: Record<string, string> = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        if (value instanceof Blob) form.append(name, value, '../../x.png');
        else form.append(name, value);
      }
      const request = new Response(form);
      return s.product.app.inject({
        method: 'POST',
        url: '/api/contact',
        ...from(),
        headers: { 'content-type': request.headers.get('content-type') ?? '', ...headers },
        payload: Buffer.from(await request.arrayBuffer()),
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

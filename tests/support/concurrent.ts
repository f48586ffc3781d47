import type { Product } from '#app/server/product.ts';
import { type Challenge, challengeResult } from '#features/contact/contract.ts';

import { LETTER } from './mailbox.ts';
import type { ask } from './people.ts';
import type { Started } from './start.ts';

type Answer = Awaited<ReturnType<typeof ask>>;
export type Call = (product: Product, n: number) => Promise<Answer>;
export type Asked = { method?: 'GET' | 'POST' | 'PUT'; url: string; body?: object; token?: string; headers?: object };

let networks = 0;

/** Calls from a unique network. */
export function fromOne(make: (n: number) => Asked | Promise<Asked>): Call {
  networks += 1;
  const remoteAddress = `10.77.${networks}.1`;
  return async (product, n) => {
    const { method = 'POST', url, body, token, headers = {} } = await make(n);
    return product.app.inject({
      method,
      url,
      remoteAddress,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(body ? { payload: body } : {}),
    });
  };
}

/** This many concurrent calls, alternating between the processes. */
export const atOnce = (products: readonly Product[], count: number, call: Call): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(products[n % products.length] as Product, n)));

/** The form of the contact page, as sent by a browser. */
function form(fields: Record<string, string>): { headers: object; body: object } {
  const boundary = 'meridian';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}

export const newSum = async (s: Started): Promise<Challenge> => (await s.get('/api/contact/challenge')).json();

/** A message with an answer to a question. */
export const letterWith = (
  sum: Challenge,
  answer = challengeResult(sum),
  more: Partial<typeof LETTER> = {},
): Asked => ({
  url: '/api/contact',
  ...form({ ...LETTER, ...more, captchaAnswer: String(answer), challenge: sum.challenge }),
});

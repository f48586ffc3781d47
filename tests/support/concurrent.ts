import type { Product } from '#app/server/product.ts';
import { type Challenge, challengeResult } from '#features/contact/contract.ts';

import { CONTACT_MESSAGE } from './mailbox.ts';
import type { sendRequest } from './people.ts';
import type { TestProduct } from './start.ts';

type Response = Awaited<ReturnType<typeof sendRequest>>;
export type Call = (product: Product, n: number) => Promise<Response>;
export type RequestSpec = {
  method?: 'GET' | 'POST' | 'PUT';
  url: string;
  body?: object;
  token?: string;
  headers?: object;
};

let networks = 0;

/** Calls from a unique network. */
export function fromOwnNetwork(buildRequest: (n: number) => RequestSpec | Promise<RequestSpec>): Call {
  networks += 1;
  const remoteAddress = `10.77.${networks}.1`;
  return async (product, n) => {
    const { method = 'POST', url, body, token, headers = {} } = await buildRequest(n);
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
export const sendConcurrently = (products: readonly Product[], count: number, call: Call): Promise<Response[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(products[n % products.length] as Product, n)));

/** The form of the contact page, as sent by a browser. */
function multipartForm(fields: Record<string, string>): { headers: object; body: object } {
  const boundary = 'meridian';
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}

export const newChallenge = async (s: TestProduct): Promise<Challenge> =>
  (await s.get('/api/contact/challenge')).json();

/** A message with an answer to a question. */
export const contactRequest = (
  challenge: Challenge,
  response = challengeResult(challenge),
  overrides: Partial<typeof CONTACT_MESSAGE> = {},
): RequestSpec => ({
  url: '/api/contact',
  ...multipartForm({
    ...CONTACT_MESSAGE,
    ...overrides,
    captchaAnswer: String(response),
    challenge: challenge.challenge,
  }),
});

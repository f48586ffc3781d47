import type { Received } from '#sandbox/providers/push.ts';

import type { TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

export type Browser = {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** The messages it received, oldest first; JSON is parsed. */
  received: () => Promise<(Omit<Received, 'text'> & { text: string; message: Record<string, unknown> })[]>;
  /** Ends its subscription at the push service. */
  end: () => Promise<void>;
};

/** A browser of the sandbox, with its own keys. */
export async function createBrowser({ sandbox }: Pick<TestProduct, 'sandbox'>): Promise<Browser> {
  const base = `${sandbox.origin}/push/browsers`;
  const created = (await (await fetch(base, { method: 'POST', body: '{}' })).json()) as Omit<
    Browser,
    'received' | 'end'
  >;
  return {
    ...created,
    async received() {
      const { received } = (await (await fetch(`${base}/${created.id}`)).json()) as { received: Received[] };
      return received.map((each) => ({ ...each, message: JSON.parse(each.text) as Record<string, unknown> }));
    },
    end: async () => void (await fetch(`${base}/${created.id}`, { method: 'DELETE' })),
  };
}

export const toSubscription = ({ endpoint, keys }: Pick<Browser, 'endpoint' | 'keys'>) => ({ endpoint, keys });

/** A browser of the sandbox, subscribed by a user. */
export async function createSubscribedBrowser(s: TestProduct, { post }: TestUser): Promise<Browser> {
  const browser = await createBrowser(s);
  const response = await post('/api/push/subscribe', toSubscription(browser));
  if (response.statusCode !== 200) throw new Error(`The browser could not be subscribed: ${response.body}`);
  return browser;
}

import type { Received } from '#sandbox/providers/push.ts';

import type { Person } from './people.ts';
import type { Started } from './start.ts';

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
export async function browserOf({ sandbox }: Pick<Started, 'sandbox'>): Promise<Browser> {
  const base = `${sandbox.origin}/push/browsers`;
  const made = (await (await fetch(base, { method: 'POST', body: '{}' })).json()) as Omit<Browser, 'received' | 'end'>;
  return {
    ...made,
    async received() {
      const { received } = (await (await fetch(`${base}/${made.id}`)).json()) as { received: Received[] };
      return received.map((each) => ({ ...each, message: JSON.parse(each.text) as Record<string, unknown> }));
    },
    end: async () => void (await fetch(`${base}/${made.id}`, { method: 'DELETE' })),
  };
}

export const subscriptionOf = ({ endpoint, keys }: Pick<Browser, 'endpoint' | 'keys'>) => ({ endpoint, keys });

/** A browser of the sandbox, subscribed by a user. */
export async function subscribed(s: Started, { post }: Person): Promise<Browser> {
  const browser = await browserOf(s);
  const answer = await post('/api/push/subscribe', subscriptionOf(browser));
  if (answer.statusCode !== 200) throw new Error(`The browser could not be subscribed: ${answer.body}`);
  return browser;
}

import type { Result, Webhook } from '#features/notifications/contract/webhooks.ts';

import { type Person, proven } from './people.ts';

type Wanted = { name?: string; url: string; format?: Webhook['format'] };

/** Adds a webhook, and returns how to test it and its secret. */
export async function addHook(who: Person, { name = 'Desk', url, format = 'generic' }: Wanted) {
  const answer = await proven(who, () => who.post('/api/webhooks', { name, url, format }));
  if (answer.statusCode !== 200) throw new Error(`No webhook was added: ${answer.body}`);
  const { webhook, secret } = answer.json<{ webhook: Webhook; secret: string | null }>();
  const at = `/api/webhooks/${webhook.id}`;
  return {
    id: webhook.id,
    at,
    secret: secret ?? '',
    tryOut: async () => (await who.post(`${at}/test`)).json<Result>(),
    now: async () =>
      (await who.get('/api/webhooks')).json<{ webhooks: Webhook[] }>().webhooks.find(({ id }) => id === webhook.id),
  };
}

import { sql } from 'kysely';

import type { Channel, Delivery, Outcome } from '#features/notifications/server/notifications/channel.ts';

export type Recording = Channel & {
  /** Everything it received, in order. */
  got: Delivery[];
  /** Its result; `sent` by default. */
  answer: (deliveries: readonly Delivery[], signal: AbortSignal) => Outcome[] | Promise<Outcome[]>;
};

/** A channel that reaches everyone and records its deliveries. */
export function recording(more: Partial<Omit<Channel, 'send'>> = {}): Recording {
  const got: Delivery[] = [];
  const channel: Recording = {
    name: 'email',
    reach: sql<{ user_id: number }>`select id as user_id from users`,
    perSecond: null,
    batch: 50,
    ...more,
    got,
    answer: (deliveries) => deliveries.map(() => ({ state: 'sent' })),
    async send(deliveries, signal) {
      got.push(...deliveries);
      return channel.answer(deliveries, signal);
    },
  };
  return channel;
}

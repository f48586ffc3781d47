import { sql } from 'kysely';

import type { Channel, Delivery, Outcome } from '#features/notifications/server/notifications/channel.ts';

export type Recording = Channel & {
  /** Everything that it was given, in order. */
  got: Delivery[];
  /** What it answers; `sent` unless a test says otherwise. */
  answer: (deliveries: readonly Delivery[], signal: AbortSignal) => Outcome[] | Promise<Outcome[]>;
};

/** A channel that reaches everyone and counts what it was given. */
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

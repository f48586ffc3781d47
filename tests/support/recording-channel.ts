import { sql } from 'kysely';

import type { Channel, Delivery, Outcome } from '#features/notifications/server/notifications/channel.ts';

export type RecordingChannel = Channel & {
  /** Everything it received, in order. */
  received: Delivery[];
  /** Its result; `sent` by default. */
  respond: (deliveries: readonly Delivery[], signal: AbortSignal) => Outcome[] | Promise<Outcome[]>;
};

/** A channel that reaches everyone and records its deliveries. */
export function recordingChannel(more: Partial<Omit<Channel, 'send'>> = {}): RecordingChannel {
  const received: Delivery[] = [];
  const channel: RecordingChannel = {
    name: 'email',
    reach: sql<{ user_id: number }>`select id as user_id from users`,
    perSecond: null,
    batch: 50,
    ...more,
    received,
    respond: (deliveries) => deliveries.map(() => ({ state: 'sent' })),
    async send(deliveries, signal) {
      received.push(...deliveries);
      return channel.respond(deliveries, signal);
    },
  };
  return channel;
}

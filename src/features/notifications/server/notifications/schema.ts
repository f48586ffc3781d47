import type { Generated } from 'kysely';

import type { ChannelName } from '#features/notifications/contract/notifications.ts';

/** `digest` waits to be sent with others, `handed` is with a queue of the channel. */
export type StoredState = 'due' | 'digest' | 'handed' | 'sent' | 'failed' | 'expired' | 'dropped';

interface NotificationDeliveriesTable {
  id: Generated<number>;
  event_id: number;
  user_id: number;
  channel: ChannelName;
  /** 0 is sent first. */
  lane: number;
  state: StoredState;
  due_at: string;
  expires_at: string | null;
  tries: Generated<number>;
  locked_until: string | null;
  held: Generated<boolean>;
  queued_at: string;
  sent_at: string | null;
  note: string | null;
  created_at: string;
  restarted_at: string | null;
}

/** One row for all streams that received alerts after the same number of milliseconds at about the same time. */
interface InAppHandingsTable {
  id: Generated<number>;
  handed_at: string;
  ms: number;
  streams: number;
}

interface ChannelPacesTable {
  channel: ChannelName;
  tokens: number;
  refilled_at: string;
}

declare module '#kernel/db.ts' {
  interface Tables {
    notification_deliveries: NotificationDeliveriesTable;
    channel_paces: ChannelPacesTable;
    in_app_handings: InAppHandingsTable;
  }
}

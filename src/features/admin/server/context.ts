import type { ApiKeys } from '#features/api-keys/server/service.ts';
import type { AuthContext } from '#features/auth/server/service.ts';
import type { BillingContext } from '#features/billing/server/service.ts';
import type { Cards } from '#features/cards/server/service.ts';
import type { NotificationsContext } from '#features/notifications/server/service.ts';
import type { Live } from '#server/platform/live/live.ts';

/** What the administration reads of other features, and changes in them. */
export type AdminContext = AuthContext & {
  live: Live;
  billing: BillingContext;
  cards: Pick<Cards, 'giveWay'>;
  notifications: NotificationsContext;
  apiKeys: ApiKeys;
};

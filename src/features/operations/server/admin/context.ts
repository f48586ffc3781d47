import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { NotificationsContext } from '#features/notifications/server/notifications/service.ts';
import type { UserDetail } from '#features/operations/contract/admin.ts';
import type { BillingContext } from '#features/payments/server/billing/service.ts';
import type { Cards } from '#features/payments/server/cards/service.ts';
import type { Live } from '#kernel/live/live.ts';

/** Access of the administration to other features. */
export type AdminContext = AuthContext & {
  live: Live;
  billing: BillingContext;
  cards: Pick<Cards, 'giveWay'>;
  notifications: NotificationsContext;
  keysOf: (userId: number) => Promise<UserDetail['keys']>;
};

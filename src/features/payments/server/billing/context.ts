import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Live } from '#kernel/live/live.ts';

import type { CardReader, PaymentMethod } from './prices.ts';

export type BillingContext = AuthContext & { live: Live; ways: readonly PaymentMethod[]; cardOf: CardReader };

import type { AuthContext } from '#features/auth/server/service.ts';
import type { Live } from '#server/platform/live/live.ts';

import type { CardOf, Way } from './ways.ts';

export type BillingContext = AuthContext & { live: Live; ways: readonly Way[]; cardOf: CardOf };

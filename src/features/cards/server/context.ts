import type { AuthContext } from '#features/auth/server/service.ts';
import type { Live } from '#server/platform/live/live.ts';

export type CardsContext = AuthContext & { live: Live };

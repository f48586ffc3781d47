import type { AuthContext } from '#features/auth/server/service.ts';
import type { Listener } from '#server/platform/listener.ts';

export type ApiKeysContext = AuthContext & { listener: Listener };

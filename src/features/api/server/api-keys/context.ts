import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Listener } from '#kernel/listener.ts';

export type ApiKeysContext = AuthContext & { listener: Listener };

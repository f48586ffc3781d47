import type { AuthContext } from '#features/auth/server/service.ts';
import type { Connection } from '#server/platform/db.ts';
import type { Live } from '#server/platform/live/live.ts';

export type ExportsContext = AuthContext & {
  /** Files are made in threads with a connection of their own. */
  connection: Connection;
  live: Live;
};

import type { AuthContext } from '#features/auth/server/service.ts';
import type { Live } from '#server/platform/live/live.ts';
import type { Reads } from '#server/platform/reads/reads.ts';

import type { ExportsContext } from './context.ts';
import { removeOrphans } from './service/files.ts';
import { type Folder, watchFolder } from './service/folder.ts';

export type { ExportsContext } from './context.ts';

export type Exports = { ctx: ExportsContext; folder: Folder; stop: () => Promise<void> };

type Deps = AuthContext & { reads: Reads; live: Live };

export function createExports(deps: Deps): Exports {
  const ctx: ExportsContext = { ...deps, made: [], making: new Map(), wake: async () => undefined };
  // The exports of an account go with it, so that its files belong to nobody.
  deps.farewells.push(() => removeOrphans(ctx));
  const folder = watchFolder(ctx);
  return {
    ctx,
    folder,
    async stop() {
      await folder.note();
      for (const { end } of ctx.making.values()) end('stopping');
      await Promise.allSettled([...ctx.making.values()].map(({ ended }) => ended));
    },
  };
}

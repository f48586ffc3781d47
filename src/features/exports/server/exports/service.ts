import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import type { Live } from '#kernel/live/live.ts';
import type { Reads } from '#kernel/reads/reads.ts';

import type { ExportsContext } from './context.ts';
import { makeFolder, removeOrphans } from './service/files.ts';

const CHECK_INTERVAL_MS = 30_000;

/** A note for operators about the EXPORTS_DIR folder; null while it is writable. */
type Folder = { note: () => Promise<string | null> };

async function isWritable(config: ExportsContext['config']): Promise<string | null> {
  const probe = join(config.exportsDir, `.${randomUUID()}`);
  try {
    await makeFolder(config);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return null;
  } catch (error) {
    return `Exports are unavailable: the EXPORTS_DIR folder is not writable (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`;
  }
}

/** Checks immediately and then at most twice per minute, on request; reports changes. */
function watchFolder({ config, now, log, report }: Pick<ExportsContext, 'config' | 'now' | 'log' | 'report'>): Folder {
  let known: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<string | null>;
  async function look(): Promise<string | null> {
    const note = await isWritable(config);
    if (note !== null && note !== known) report('exports', 'system', note);
    if (note === null && known !== null) log.info('EXPORTS_DIR is writable again');
    known = note;
    return note;
  }
  const note = (): Promise<string | null> => {
    const at = now().getTime();
    if (Math.abs(at - lookedAt) >= CHECK_INTERVAL_MS) {
      lookedAt = at;
      looking = look();
    }
    return looking;
  };
  void note();
  return { note };
}

export type { ExportsContext } from './context.ts';

export type Exports = { ctx: ExportsContext; folder: Folder; stop: () => Promise<void> };

type Deps = AuthContext & { reads: Reads; live: Live };

export function createExports(deps: Deps): Exports {
  const ctx: ExportsContext = { ...deps, made: [], making: new Map(), wake: async () => undefined };
  // Deleting an account deletes its exports, which leaves its files orphaned.
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

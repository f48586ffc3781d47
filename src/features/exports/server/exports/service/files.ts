import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { Config } from '#kernel/config.ts';

import type { ExportsContext } from '../context.ts';
import type { ExportRow } from '../store/exports.ts';
import { findKept } from '../store/exports.ts';

type Attempt = Pick<ExportRow, 'id' | 'attempt'>;

/** One file for each attempt: one that is taken for dead cannot spoil what another has made. */
export const fileOf = ({ exportsDir }: Config, { id, attempt }: Attempt): string =>
  join(exportsDir, `${id}-${attempt}`);
/** While it is written. */
export const partOf = (config: Config, attempt: Attempt): string => `${fileOf(config, attempt)}.part`;

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d+)(\.part)?$/;

export async function makeFolder({ exportsDir }: Config): Promise<void> {
  await mkdir(exportsDir, { recursive: true, mode: 0o700 });
}

export async function removeFiles(config: Config, attempt: Attempt): Promise<void> {
  await rm(fileOf(config, attempt), { force: true });
  await rm(partOf(config, attempt), { force: true });
}

/** Removes every file that no export calls its own. Other files in the folder are left alone. */
export async function removeOrphans({ db, config }: Pick<ExportsContext, 'db' | 'config'>): Promise<void> {
  const names = await readdir(config.exportsDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = names.flatMap((name) => {
    const [, id, attempt, part] = NAME.exec(name) ?? [];
    return id === undefined ? [] : [{ name, id, attempt: Number(attempt), isPart: part !== undefined }];
  });
  const kept = new Map((await findKept(db, [...new Set(files.map(({ id }) => id))])).map((row) => [row.id, row]));
  for (const { name, id, attempt, isPart } of files) {
    const row = kept.get(id);
    const isWanted = row?.attempt === attempt && (row.state === 'running' || !isPart);
    if (!isWanted) await rm(join(config.exportsDir, name), { force: true });
  }
}

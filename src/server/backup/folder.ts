import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

import { messageOf } from '../platform/errors.ts';
import { isAlive } from '../platform/postgres/process.ts';
import { AppStartError } from '../platform/postgres/start-error.ts';
import { MANIFEST, type Manifest, manifestSchema, SUMS, sumLine } from './manifest.ts';
import { readManifest } from './saved.ts';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const UNFINISHED = /^\.meridian-backup-.*\.unfinished-([0-9a-f]{8})-(\d+)$/;
const FINISHED = /^meridian-backup-/;

/** meridian-backup-2026-11-23T092301Z, of demo data meridian-backup-demo-…: they sort by time. */
export const backupName = (at: Date, dataMode: 'live' | 'demo'): string =>
  `meridian-backup-${dataMode === 'demo' ? 'demo-' : ''}${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export type Draft = {
  /** Where the parts are written. */
  folder: string;
  /** Sums of what was written so far, by file. */
  sums: Map<string, string>;
  /** Closes the backup with its manifest and puts it in its place. */
  finish: (manifest: Manifest) => Promise<string>;
  discard: () => Promise<void>;
};

/** A backup in the making has another name, so that what has the name of a backup is whole. */
export async function startDraft(parent: string, name: string): Promise<Draft> {
  const place = join(parent, name);
  const folder = join(parent, `.${name}.unfinished-${HOST}-${process.pid}`);
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new AppStartError(`Backups cannot be kept in ${parent}: ${messageOf(error)}.`);
  });
  await removeAbandoned(parent);
  refuseTaken(place);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw new AppStartError(`Backups cannot be kept in ${parent}: ${messageOf(error)}.`);
  });
  const sums = new Map<string, string>();
  return {
    folder,
    sums,
    async finish(manifest) {
      const text = `${JSON.stringify(manifestSchema.parse(manifest), null, 1)}\n`;
      await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
      sums.set(MANIFEST, createHash('sha256').update(text).digest('hex'));
      const lines = [...sums].map(([file, sum]) => sumLine(sum, file)).join('');
      await writeFile(join(folder, SUMS), lines, { mode: 0o600, flush: true });
      await syncFolder(folder);
      refuseTaken(place);
      await rename(folder, place);
      await syncFolder(dirname(place));
      return place;
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function refuseTaken(place: string): void {
  if (existsSync(place)) throw new AppStartError(`${place} is there already and is not written over.`);
}

/** What a killed backup of this machine has left behind. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, host, pid] = UNFINISHED.exec(name) ?? [];
    if (host !== HOST || isAlive(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes all but the newest `keep` backups of the same installation; whatever is not a backup stays. */
export async function removeOlder(
  parent: string,
  keep: number,
  { installation }: Pick<Manifest, 'installation'>,
): Promise<string[]> {
  const own: { name: string; takenAt: string }[] = [];
  for (const name of await readdir(parent)) {
    if (!FINISHED.test(name)) continue;
    const manifest = await readManifest(join(parent, name)).catch(() => undefined);
    const isOwn =
      manifest?.installation.createdAt === installation.createdAt &&
      manifest.installation.dataMode === installation.dataMode;
    if (isOwn) own.push({ name, takenAt: manifest.takenAt });
  }
  const old = own.toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1)).slice(keep);
  for (const { name } of old) {
    // Under another name first: what is half removed must not look whole.
    const leaving = join(parent, `.${name}.unfinished-${HOST}-${process.pid}`);
    await rename(join(parent, name), leaving);
    await rm(leaving, { recursive: true, force: true });
  }
  return old.map(({ name }) => name).toReversed();
}

import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Connection } from '#kernel/db.ts';
import { errorMessage } from '#kernel/errors.ts';
import { AppStartError, isAlive } from '#kernel/postgres/process.ts';
import {
  CHECKSUM_FILE,
  checksumLine,
  FORMAT,
  KEY_FILE,
  MANIFEST,
  type Manifest,
  manifestSchema,
  type Part,
  partFile,
  readManifest,
} from './backup-format.ts';
import { copyOutCommand, type TableShape } from './catalogue.ts';
import { CopyOut } from './copy.ts';
import { openSnapshot, type Snapshot } from './source.ts';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const UNFINISHED = /^\.meridian-backup-.*\.unfinished-([0-9a-f]{8})-(\d+)$/;
const FINISHED = /^meridian-backup-/;

/** meridian-backup-2026-11-23T092301Z, for demo data meridian-backup-demo-…: names sort by time. */
const backupName = (at: Date, dataMode: 'live' | 'demo'): string =>
  `meridian-backup-${dataMode === 'demo' ? 'demo-' : ''}${at.toISOString().slice(0, 19).replaceAll(':', '')}Z`;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type Draft = {
  /** Where the parts are written. */
  folder: string;
  /** Checksums of the files written so far. */
  sums: Map<string, string>;
  /** Completes the backup with its manifest and moves it to its final name. */
  finish: (manifest: Manifest) => Promise<string>;
  discard: () => Promise<void>;
};

/** An unfinished backup has another name, so that a folder with the name of a backup is always complete. */
async function startDraft(parent: string, name: string): Promise<Draft> {
  const place = join(parent, name);
  const folder = join(parent, `.${name}.unfinished-${HOST}-${process.pid}`);
  await mkdir(parent, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new AppStartError(`Cannot write backups to ${parent}: ${errorMessage(error)}.`);
  });
  await removeUnfinished(parent);
  assertFolderFree(place);
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    throw new AppStartError(`Cannot write backups to ${parent}: ${errorMessage(error)}.`);
  });
  const sums = new Map<string, string>();
  return {
    folder,
    sums,
    async finish(manifest) {
      const text = `${JSON.stringify(manifestSchema.parse(manifest), null, 1)}\n`;
      await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
      sums.set(MANIFEST, createHash('sha256').update(text).digest('hex'));
      const lines = [...sums].map(([file, sum]) => checksumLine(sum, file)).join('');
      await writeFile(join(folder, CHECKSUM_FILE), lines, { mode: 0o600, flush: true });
      await syncFolder(folder);
      assertFolderFree(place);
      await rename(folder, place);
      await syncFolder(dirname(place));
      return place;
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

function assertFolderFree(place: string): void {
  if (existsSync(place)) throw new AppStartError(`${place} already exists and will not be overwritten.`);
}

/** Removes what a killed backup on this machine left behind. */
async function removeUnfinished(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, host, pid] = UNFINISHED.exec(name) ?? [];
    if (host !== HOST || isAlive(Number(pid))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes all but the newest `keep` backups of the same installation; anything that is not a backup stays. */
async function removeOlder(
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
    // Renamed first: a partly removed backup must not look complete.
    const leaving = join(parent, `.${name}.unfinished-${HOST}-${process.pid}`);
    await rename(join(parent, name), leaving);
    await rm(leaving, { recursive: true, force: true });
  }
  return old.map(({ name }) => name).toReversed();
}

export type BackupOrder = {
  connection: Connection;
  /** Display name of the database. */
  database: string;
  /** The parent folder of the backups. */
  to: string;
  /** How many backups to keep there; null keeps all. */
  keep: number | null;
  /** The secret key to store with the data; null leaves it out. */
  key: string | null;
  now: Date;
  version: string;
  signal: AbortSignal;
};

export type Backup = { place: string; tables: number; rows: number; bytes: number; removed: string[] };

/** Counts and hashes the bytes that pass through. */
function measureContent(): Transform & { bytes: number; sha256: () => string } {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      through.bytes += chunk.length;
      done(null, chunk);
    },
  }) as Transform & { bytes: number; sha256: () => string };
  through.bytes = 0;
  through.sha256 = () => hash.digest('hex');
  return through;
}

async function writePart(
  snapshot: Snapshot,
  draft: Draft,
  table: TableShape,
  file: string,
  signal: AbortSignal,
): Promise<Part> {
  const content = await snapshot.contentOf(table);
  const rows = new CopyOut(snapshot.client, copyOutCommand(table));
  const written = measureContent();
  const place = createWriteStream(join(draft.folder, file), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: 1 }), written, place, { signal });
  if (rows.rows !== content.rows)
    throw new Error(`${table.schema}.${table.name}: read ${rows.rows} of ${content.rows} rows`);
  const sha256 = written.sha256();
  draft.sums.set(file, sha256);
  return { ...table, ...content, file, bytes: written.bytes, sha256 };
}

/** Writes a snapshot of a database to a new folder, while writes to the database continue. */
export async function createBackup(order: BackupOrder): Promise<Backup> {
  const { connection, database, to, keep, key, now, version, signal } = order;
  const snapshot = await openSnapshot(connection, database);
  try {
    const { installation, migrations, jobsVersion, server } = snapshot;
    const draft = await startDraft(to, backupName(now, installation.dataMode));
    try {
      const tables: Part[] = [];
      for (const [index, table] of snapshot.tables.entries())
        tables.push(await writePart(snapshot, draft, table, partFile(index, table), signal));
      if (key !== null) await writeKey(draft, key);
      const manifest = {
        format: FORMAT,
        kind: 'meridian-backup',
        version,
        takenAt: now.toISOString(),
        server,
        installation,
        migrations,
        jobsVersion,
        withKey: key !== null,
        tables,
        sequences: await snapshot.sequences(),
      } as const;
      signal.throwIfAborted();
      const place = await draft.finish(manifest);
      const sum = (what: 'rows' | 'bytes') => tables.reduce((total, table) => total + table[what], 0);
      const removed = keep === null ? [] : await removeOlder(to, keep, manifest);
      return { place, tables: tables.length, rows: sum('rows'), bytes: sum('bytes'), removed };
    } catch (error) {
      await draft.discard();
      throw error;
    }
  } finally {
    await snapshot.close();
  }
}

async function writeKey({ folder, sums }: Draft, key: string): Promise<void> {
  const text = `${key}\n`;
  await writeFile(join(folder, KEY_FILE), text, { mode: 0o600, flag: 'wx', flush: true });
  sums.set(KEY_FILE, createHash('sha256').update(text).digest('hex'));
}

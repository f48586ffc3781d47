import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type { Connection } from '../platform/db.ts';
import { copyOutOf, type TableShape } from './catalogue.ts';
import { CopyOut } from './copy.ts';
import { backupName, type Draft, removeOlder, startDraft } from './folder.ts';
import { FORMAT, KEY_FILE, type Part, partFile } from './manifest.ts';
import { openSnapshot, type Snapshot } from './source.ts';

export type BackupOrder = {
  connection: Connection;
  /** What people know the database by. */
  database: string;
  /** The folder that backups are kept in. */
  to: string;
  /** How many are kept there; null keeps all. */
  keep: number | null;
  /** The secret key to put beside the data; null leaves it out. */
  key: string | null;
  now: Date;
  version: string;
  signal: AbortSignal;
};

export type Backup = { place: string; tables: number; rows: number; bytes: number; removed: string[] };

/** Counts and hashes what goes through. */
function measure(): Transform & { bytes: number; sha256: () => string } {
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
  const rows = new CopyOut(snapshot.client, copyOutOf(table));
  const written = measure();
  const place = createWriteStream(join(draft.folder, file), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(rows, createGzip({ level: 1 }), written, place, { signal });
  if (rows.rows !== content.rows)
    throw new Error(`${table.schema}.${table.name}: ${rows.rows} rows were read of ${content.rows}`);
  const sha256 = written.sha256();
  draft.sums.set(file, sha256);
  return { ...table, ...content, file, bytes: written.bytes, sha256 };
}

/** Writes one moment of a database into a folder of its own, while others go on writing to the database. */
export async function makeBackup(order: BackupOrder): Promise<Backup> {
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

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';

import { errorMessage } from '#kernel/errors.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import type { TableShape } from './catalogue.ts';
import type { CopyIn } from './copy.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const CHECKSUM_FILE = 'SHA256SUMS';
export const KEY_FILE = 'secret.key';
const TABLE_FILE = /^\d{4}-[\w.-]+\.copy\.gz$/;

const tableSchema = z.object({
  schema: z.string(),
  name: z.string(),
  parent: z.string().nullable(),
  bounds: z.tuple([z.string().regex(/^[\d :+.-]+$/), z.string().regex(/^[\d :+.-]+$/)]).nullable(),
  columns: z.array(z.object({ name: z.string(), type: z.string().regex(/^[\w ."(),[\]]+$/) })),
  generated: z.array(z.string()),
  rows: z.int().min(0),
  hash: z.string().regex(/^-?\d+$/),
  file: z.string().regex(TABLE_FILE),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The manifest of a backup; `tables` has the order of the parts. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  kind: z.literal('meridian-backup'),
  version: z.string(),
  takenAt: z.iso.datetime(),
  server: z.string(),
  installation: z.object({
    dataMode: z.enum(['live', 'demo']),
    seed: z.int().nullable(),
    key: z.string().nullable(),
    createdAt: z.string(),
  }),
  migrations: z.array(z.string()),
  jobsVersion: z.int(),
  withKey: z.boolean(),
  tables: z.array(tableSchema),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string().regex(/^-?\d+$/), called: z.boolean() }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;
export type Part = Manifest['tables'][number];

/** The file name of a part: the number separates names that a file system would treat as equal. */
export const partFile = (index: number, { schema, name }: { schema: string; name: string }): string =>
  `${String(index + 1).padStart(4, '0')}-${`${schema}.${name}`.replaceAll(/[^\w.-]/g, '_')}.copy.gz`;

export const checksumLine = (sha256: string, file: string): string => `${sha256}  ${file}\n`;

const damagedBackup = (folder: string, what: string) =>
  new AppStartError(`The backup ${folder} is damaged: ${what}. Nothing was changed. Use another backup.`);

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The manifest of the backup, before its parts are checked. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    throw new AppStartError(`No backup found in ${folder}: ${errorMessage(error)}.`);
  });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw damagedBackup(folder, `${MANIFEST} is not readable`);
  }
  const { format } = given as { format?: unknown };
  if (typeof format === 'number' && format > FORMAT)
    throw new AppStartError(`The backup ${folder} was created by a newer version. Update Meridian first.`);
  const parsed = manifestSchema.safeParse(given);
  if (!parsed.success) throw damagedBackup(folder, `${MANIFEST} is not readable`);
  return parsed.data;
}

async function readChecksums(folder: string): Promise<Map<string, string>> {
  const text = await readFile(join(folder, CHECKSUM_FILE), 'utf8').catch(() => {
    throw damagedBackup(folder, `${CHECKSUM_FILE} is missing`);
  });
  const sums = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sum, file] = /^([0-9a-f]{64}) {2}([\w.-]+)$/.exec(line) ?? [];
    if (!sum || !file || sums.has(file)) throw damagedBackup(folder, `${CHECKSUM_FILE} is not readable`);
    sums.set(file, sum);
  }
  if (!text.endsWith('\n')) throw damagedBackup(folder, `${CHECKSUM_FILE} is truncated`);
  return sums;
}

/** Reads every byte: nothing may be missing, changed or added. */
export async function verifySaved(folder: string): Promise<Manifest> {
  const sums = await readChecksums(folder);
  const present = new Set(await readdir(folder));
  present.delete(CHECKSUM_FILE);
  for (const file of sums.keys()) if (!present.has(file)) throw damagedBackup(folder, `${file} is missing`);
  for (const file of present) if (!sums.has(file)) throw damagedBackup(folder, `${file} is unexpected`);
  for (const [file, sum] of sums)
    if ((await hashFile(join(folder, file))) !== sum) throw damagedBackup(folder, `${file} has changed`);
  const manifest = await readManifest(folder);
  const named = new Map(manifest.tables.map(({ file, sha256 }): [string, string] => [file, sha256]));
  for (const [file, sum] of named)
    if (sums.get(file) !== sum) throw damagedBackup(folder, `${MANIFEST} does not match ${CHECKSUM_FILE}`);
  const more = new Set([MANIFEST, ...(manifest.withKey ? [KEY_FILE] : [])]);
  for (const file of sums.keys())
    if (!named.has(file) && !more.has(file)) throw damagedBackup(folder, `${file} is unexpected`);
  return manifest;
}

export function sendPart(folder: string, table: TableShape, into: CopyIn): Promise<void> {
  return pipeline(createReadStream(join(folder, (table as Part).file)), createGunzip(), into);
}

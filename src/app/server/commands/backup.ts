import { join, resolve, sep } from 'node:path';
import { createClock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Connection } from '#kernel/db.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { deriveKey } from '#kernel/sealing.ts';
import { findSecretKeys } from '#kernel/secrets.ts';
import { createBackup } from '../backup/backup.ts';
import { withClient } from '../backup/catalogue.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  keyFilePath,
  print,
  read,
  readDataMode,
  withStorage,
} from './database.ts';

const USAGE = 'npm run backup -- [--to FOLDER] [--keep N] [--with-key]';

/** `npm run backup`: a snapshot of the database as a folder, also while the product runs. */
export async function backup(config: Config, args: string[], version: string): Promise<void> {
  const given = read(
    args,
    { to: { type: 'string' }, keep: { type: 'string' }, 'with-key': { type: 'boolean' } },
    USAGE,
  );
  const keep = given.keep === undefined ? null : Number(given.keep);
  if (keep !== null && !(Number.isInteger(keep) && keep >= 1))
    throw new AppStartError(`--keep needs a number of at least 1, not ${given.keep}. Usage: ${USAGE}`);
  const to = resolve(given.to ?? join(config.dataDir, 'backups'));
  const began = performance.now();
  await withStorage(config, 'backup', true, async (storage, signal) => {
    const mode = await readDataMode(config, storage);
    const connection = storage.connectionTo(mode);
    const key = given['with-key'] ? await readDatabaseKey(config, connection) : null;
    const now = createClock().now();
    const made = await createBackup({
      connection,
      database: `${mode} data on ${storage.label}`,
      to,
      keep,
      key,
      now,
      version,
      signal,
    });
    const keyAt = config.SECRET_KEY ? 'the SECRET_KEY' : keyFilePath(config);
    print([
      ['backup', made.place],
      ['contents', `${mode} data of ${now.toISOString()}`],
      [
        'size',
        `${formatCount(made.rows, 'row')} in ${formatCount(made.tables, 'table')}, ${formatBytes(made.bytes)}, ${formatDuration(began)}`,
      ],
      key === null
        ? ['key', `not included: keep a copy of ${keyAt} elsewhere, because encrypted values cannot be read without it`]
        : ['key', 'included: anyone with this backup can read encrypted values'],
      ...made.removed.map((name): [string, string] => ['deleted', name]),
      ...(to.startsWith(config.dataDir + sep)
        ? [['note', 'stored on the same disk as the database: copy it to another machine'] as [string, string]]
        : []),
    ]);
  });
}

/** After a key rotation, a database may still use an earlier key. */
async function readDatabaseKey(config: Config, connection: Connection): Promise<string> {
  const keys = findSecretKeys(config);
  if (keys.length === 0) throw new AppStartError('No secret key found to include in the backup.');
  const { rows } = await withClient(connection, (client) =>
    client.query<{ key: string }>('select key_fingerprint as key from installation'),
  );
  const key = keys.find((each) => deriveKey(each).fingerprint === rows[0]?.key);
  if (key === undefined) throw new AppStartError('The configured secret key does not match this database.');
  return key;
}

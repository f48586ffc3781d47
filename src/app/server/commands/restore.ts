import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createClock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { deriveKey } from '#kernel/sealing.ts';
import { findSecretKeys } from '#kernel/secrets.ts';
import { KEY_FILE, type Manifest, verifySaved } from '../backup/backup-format.ts';
import { selectMigrations } from '../backup/copy-tables.ts';
import { databaseName } from '../backup/databases.ts';
import { dropReplaced, type Restored, restore as restoreBackup, restoreTrial } from '../backup/restore.ts';
import { formatCount, formatDuration, keyFilePath, print, read, readDataMode, withStorage } from './database.ts';

const USAGE = 'npm run restore -- --from BACKUP [--dry-run] [--replace] [--new-key], or --drop-replaced';

/** `npm run restore`: replaces the database with a backup, verified row by row; with `--dry-run` it only verifies. */
export async function restore(config: Config, args: string[]): Promise<void> {
  const given = read(
    args,
    {
      from: { type: 'string' },
      'dry-run': { type: 'boolean' },
      replace: { type: 'boolean' },
      'new-key': { type: 'boolean' },
      'drop-replaced': { type: 'boolean' },
    },
    USAGE,
  );
  if (given['drop-replaced'] && !given.from) return dropOld(config);
  if (!given.from) throw new AppStartError(`--from needs a backup folder. Usage: ${USAGE}`);
  const folder = resolve(given.from);
  const began = performance.now();
  const manifest = await verifySaved(folder);
  const { dataMode } = manifest.installation;
  if (config.DATA_MODE !== 'auto' && config.DATA_MODE !== dataMode)
    throw new AppStartError(`The backup contains ${dataMode} data, but DATA_MODE is ${config.DATA_MODE}.`);
  selectMigrations(manifest.migrations);
  const isDry = given['dry-run'] ?? false;
  const newKey = given['new-key'] ?? false;
  await withStorage(config, 'restore', isDry, async (storage) => {
    if (!isDry && !newKey) await installKey(config, folder, manifest);
    const target = storage.connectionTo(dataMode);
    const order = { folder, manifest, target, replace: given.replace ?? false, newKey, now: createClock().now() };
    const done = isDry ? await restoreTrial(order) : await restoreBackup(order);
    print([
      ['backup', `${folder}: ${dataMode} data of ${manifest.takenAt}, all checksums match`],
      ['verified', proofText(done, began)],
      ...done.migrated.map((name): [string, string] => ['migrated', name]),
      ...done.leftOut.map((name): [string, string] => ['skipped', `${name} (not a Meridian table)`]),
      isDry
        ? ['dry run', 'temporary database dropped; nothing was changed']
        : ['restored', `database ${databaseName(target)} on ${storage.label}`],
      ...(done.aside
        ? [
            [
              'replaced',
              `the old database is now ${done.aside}; delete it with npm run restore -- --drop-replaced`,
            ] as [string, string],
          ]
        : []),
    ]);
  });
}

const proofText = ({ rows, tables, ledger }: Restored, began: number) =>
  `${formatCount(rows, 'row')} in ${formatCount(tables, 'table')} match the backup, ${ledger} ledger entries, ${formatDuration(began)}`;

/** Encrypted data is useless without its key, so the key must be in place first. */
async function installKey(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const wanted = manifest.installation.key;
  if (wanted === null) return;
  const found = findSecretKeys(config).map((key) => deriveKey(key).fingerprint);
  if (found.includes(wanted)) return;
  if (found.length > 0)
    throw new AppStartError(
      `The backup was encrypted with secret key ${wanted}, but the configured key is ${found[0]}. Restore the original SECRET_KEY or secret.key, or set that key as SECRET_KEY_PREVIOUS.`,
    );
  if (!manifest.withKey)
    throw new AppStartError(
      `The backup was encrypted with secret key ${wanted}, which it does not include. Restore ${keyFilePath(config)} or set SECRET_KEY first. If the key is lost, --new-key restores everything else; pending emails, second factors, webhooks and other encrypted values stay unreadable.`,
    );
  const key = readFileSync(join(folder, KEY_FILE), 'utf8');
  if (deriveKey(key.trim()).fingerprint !== wanted)
    throw new AppStartError('The secret key in the backup does not match its data.');
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(keyFilePath(config), key, { mode: 0o600, flag: 'wx', flush: true });
}

async function dropOld(config: Config): Promise<void> {
  await withStorage(config, 'restore', true, async (storage) => {
    const names = await dropReplaced(storage.connectionTo(await readDataMode(config, storage)));
    print(
      names.length > 0 ? names.map((name) => ['dropped', name]) : [['dropped', 'nothing: no replaced database found']],
    );
  });
}

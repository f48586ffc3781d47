import type { Config } from '#kernel/config.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { createDatabase, databaseName, readTargetState } from '../backup/databases.ts';
import { move } from '../backup/move.ts';
import { openStorage } from '../storage.ts';
import { formatCount, formatDuration, keyFilePath, print, read, readDataMode, withStorage } from './database.ts';

const USAGE = 'npm run move-db -- --to postgres://user:password@host:5432/database';

/** `npm run move-db`: copies all data of this database into another one, verified row by row. */
export async function moveDb(config: Config, args: string[]): Promise<void> {
  const { to } = read(args, { to: { type: 'string' } }, USAGE);
  if (!to || !/^postgres(ql)?:\/\//.test(to) || !URL.canParse(to))
    throw new AppStartError(`--to needs the URL of the target database. Usage: ${USAGE}`);
  const began = performance.now();
  await withStorage(config, 'move-db', false, async (storage, signal, log) => {
    const mode = await readDataMode(config, storage);
    const goal = await openStorage({ ...config, DATABASE_URL: to }, { log, signal, attach: false });
    const target = goal.connectionTo(mode);
    const moved = await move(storage.connectionTo(mode), target);
    // A start connects to the database in the URL first, even to reach the demo database, so it must exist.
    const named = goal.connectionTo('live');
    if (mode === 'demo' && (await readTargetState(named)) === 'absent')
      await createDatabase(named, databaseName(named));
    print([
      ['moved', `${mode} data from ${storage.label} to the database ${databaseName(target)}`],
      [
        'verified',
        `${formatCount(moved.rows, 'row')} in ${formatCount(moved.tables, 'table')} match the source, ${moved.ledger} ledger entries, ${formatDuration(began)}`,
      ],
      ...moved.leftOut.map((name): [string, string] => ['skipped', `${name} (not a Meridian table)`]),
      ['next', `start with DATABASE_URL=${withoutPassword(to)}`],
      ['keep', config.SECRET_KEY ? 'SECRET_KEY, unchanged' : `${keyFilePath(config)}: it decrypts the data`],
      ['source', 'unchanged: remove it once Meridian runs on the new database'],
    ]);
  });
}

/** The output may be stored in a log. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password) url.password = '***';
  return url.href.replace('%2A%2A%2A', '***');
}

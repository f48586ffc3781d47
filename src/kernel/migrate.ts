import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { PgBoss } from 'pg-boss';

import { type Connection, openDatabase } from './db.ts';

const LOCK = 7_246_001;

/** The migrations by name, in order; main.ts passes the real list and tests may pass others. */
export type Migrations = Record<string, Migration>;

/** Brings schema and job tables up to date. Safe when several processes start at once: one works, the others wait. */
export async function migrateWith(connection: Connection, migrations: Migrations): Promise<void> {
  const guard = new pg.Client(connection);
  // Losing the connection only loses the place in the queue: the migrator and the job tables have their own locks.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [LOCK]);
    const { db, close } = openDatabase(connection, () => undefined, 2);
    try {
      const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
    } finally {
      await close();
    }
    await migrateJobs(connection);
  } finally {
    await guard.end();
  }
}

async function migrateJobs(connection: Connection): Promise<void> {
  const boss = new PgBoss({ ...bossConnection(connection), max: 2, supervise: false, schedule: false, migrate: true });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
}

function bossConnection({ host, port, user, password, database, connectionString }: Connection) {
  const given = { host, port, user, password, database, connectionString };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

import type { Connection } from '#kernel/db.ts';
import { type Migrations, migrateWith } from '#kernel/migrate.ts';
import { accountsMigrations } from './migrations/accounts.ts';
import { alertsMigrations } from './migrations/alerts.ts';
import { channelsMigrations } from './migrations/channels.ts';
import { exportsMigrations } from './migrations/exports.ts';
import { macroMigrations } from './migrations/macro.ts';
import { marketMigrations } from './migrations/market.ts';
import { notificationsMigrations } from './migrations/notifications.ts';
import { paymentsMigrations } from './migrations/payments.ts';
import { platformMigrations } from './migrations/platform.ts';
import { predictionsMigrations } from './migrations/predictions.ts';
import { siteMigrations } from './migrations/site.ts';

/** Every migration, run in the order of its number. Released migrations are frozen: a change is a new one. */
export const migrations: Migrations = {
  ...platformMigrations,
  ...siteMigrations,
  ...marketMigrations,
  ...accountsMigrations,
  ...channelsMigrations,
  ...notificationsMigrations,
  ...alertsMigrations,
  ...predictionsMigrations,
  ...macroMigrations,
  ...paymentsMigrations,
  ...exportsMigrations,
};

export const migrate = (connection: Connection): Promise<void> => migrateWith(connection, migrations);

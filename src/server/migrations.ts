import type { Migrations } from './platform/migrate.ts';
import * as platform from './migrations/0001-platform.ts';
import * as market from './migrations/0002-market.ts';

/** Every migration in order. They are frozen once released: a change is a new one. */
export const migrations: Migrations = {
  '0001-platform': platform,
  '0002-market': market,
};

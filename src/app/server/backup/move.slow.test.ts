import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Server, startDebianPostgresql } from '#tests/support/debian-postgresql.ts';
import {
  createSpareDatabases,
  createTempFolder,
  query,
  readChecksums,
  readTriggers,
  type SpareDatabases,
} from '#tests/support/saves.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

import { migrations } from '../migrations.ts';
import { openClient } from './catalogue.ts';
import { assertFinished, databaseName } from './databases.ts';
import { move } from './move.ts';

let database: TestDatabase;
let held: SpareDatabases;

beforeAll(async () => {
  database = await createTestDatabase();
  held = createSpareDatabases();
  await query(
    database.connection,
    `insert into installation (data_mode, created_at) values ('live', '2026-11-20T12:00:00Z');
      create table price_observations_20261120 partition of price_observations
        for values from ('2026-11-20') to ('2026-11-21');
      insert into users (email, password_hash, created_at) select 'p' || n || '@people.example', E'h\\\\N\\t' || n, now()
        from generate_series(1, 500) n;
      insert into coins (id, symbol, name, updated_at) select 'coin-' || n, 'C' || n, E'Coin\\r\\n💱 ' || n, now()
        from generate_series(1, 3000) n`,
  );
});
afterAll(async () => {
  await database.drop();
  await held.drop();
});

describe('move', () => {
  test('copies everything to an empty database and leaves the source unchanged', async () => {
    const before = await readChecksums(database.connection);
    const target = await held.empty();
    const moved = await move(database.connection, target);
    expect(moved.rows).toBeGreaterThan(3500);
    expect(await readChecksums(target)).toEqual(before);
    expect(await readChecksums(database.connection)).toEqual(before);
    expect(await query(target, `select nextval('users_id_seq')::int as next`)).toEqual([{ next: 501 }]);
  });

  test('rejects a non-empty target and a source or target in use', async () => {
    const target = held.missing();
    await move(database.connection, target);
    await expect(move(database.connection, target)).rejects.toThrow('already contains data. Use an empty database');
    const client = await openClient({ ...database.connection, application_name: 'meridian' });
    await expect(move(database.connection, held.missing())).rejects.toThrow(
      /in use by 1 session \(meridian\)\. Stop every Meridian process, then move.$/,
    );
    await client.end();
  });

  test('when interrupted, the source is untouched, the product rejects the target, and the next move starts over', async () => {
    const before = await readChecksums(database.connection);
    const target = await held.empty();
    const breaking = {
      ...migrations,
      '9999-breaks': { up: () => Promise.reject(new Error('the machine went down')) },
    };
    await expect(move(database.connection, target, breaking)).rejects.toThrow('the machine went down');
    expect(await readChecksums(database.connection)).toEqual(before);
    await expect(assertFinished(target)).rejects.toThrow(
      `The database ${databaseName(target)} is incomplete because a restore or move was interrupted. Run it again`,
    );
    await move(database.connection, target);
    await assertFinished(target);
    expect(await readChecksums(target)).toEqual(before);
  });

  test('moves between bundled and Debian PostgreSQL keep rows, keys, indexes and triggers', async (context) => {
    const { folder, remove } = createTempFolder();
    let server: Server | undefined;
    try {
      server = startDebianPostgresql(folder, context);
      const there = { connectionString: server.url('moved') };
      await move(database.connection, there);
      const before = await readChecksums(database.connection);
      expect(await readChecksums(there)).toEqual(before);
      const back = held.missing();
      await move(there, back);
      expect(await readChecksums(back)).toEqual(before);
      expect(await readTriggers(back)).toEqual(await readTriggers(database.connection));
    } finally {
      server?.stop();
      remove();
    }
  });
});

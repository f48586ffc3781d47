import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asRoot, eachInItsFolder, folder, lines, query, start } from './fixtures/data-dir.ts';

eachInItsFolder();

describe.runIf(asRoot)('startBundledPostgres as root', () => {
  test('runs as the owner of DATA_DIR, else as nobody', async () => {
    const { connection } = await start();
    const nobody = statSync(connection.host).uid;
    expect(nobody).toBeGreaterThan(0);
    mkdirSync(join(folder, 'owned'));
    chownSync(join(folder, 'owned'), 1, 1);
    const owned = await start({ dataDir: join(folder, 'owned') });
    expect(statSync(owned.connection.host).uid).toBe(1);
  });

  test('moves out of a folder that only root may enter, and reports it', async () => {
    const systemDir = join(folder, 'system');
    chmodSync(folder, 0o755);
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const first = await start({ dataDir: join(closed, 'data'), systemDir });
    const location = readFileSync(join(closed, 'data/LOCATION'), 'utf8');
    const [moved = ''] = location.split('\n');
    expect(moved).toMatch(new RegExp(`^${systemDir}/[0-9a-f]{16}$`));
    expect(location).toContain(`no other user can access ${closed}`);
    expect(lines.join('\n')).toContain(moved);
    await query(first.connection, 'create table kept as select 7 as seven');
    await first.stop();

    chmodSync(closed, 0o755);
    const second = await start({ dataDir: join(closed, 'data'), systemDir });
    expect(await query(second.connection, 'select seven from kept')).toEqual([{ seven: 7 }]);
  });

  test('stops with one message when there is no place to move to', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    await expect(start({ dataDir: join(closed, 'data'), systemDir: '/proc/meridian' })).rejects.toThrow(
      /^PostgreSQL cannot run as root, no other user can access .*closed, and \/proc\/meridian is not writable/,
    );
  });

  test('does not start over when its database is no longer reachable', async () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    await (await start({ dataDir: join(open, 'data') })).stop();
    chmodSync(open, 0o700);
    await expect(start({ dataDir: join(open, 'data'), systemDir: join(folder, 'system') })).rejects.toThrow(
      /Allow access \(chmod o\+x\) or move DATA_DIR/,
    );
  });
});

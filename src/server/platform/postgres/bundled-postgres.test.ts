import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findBundledPostgres, startBundledPostgres, stopBundledPostgres } from './bundled-postgres.ts';
import { ensureDatabase } from './databases.ts';
import { isAlive, waitUntil } from './process.ts';
import type { Connection } from './session.ts';
import { AppStartError } from './start-error.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const PRODUCT = join(import.meta.dirname, 'fixtures/product.ts');
const asRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let lines: string[];
let cleanUps: (() => unknown)[];

beforeEach(() => {
  folder = mkdtempSync('/tmp/meridian-postgres-test-');
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  lines = [];
  cleanUps = [];
});

afterEach(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: { dataDir?: string; durable?: boolean; systemDir?: string } = {}) {
  const running = await startBundledPostgres({ dataDir, durable: false, log: (line) => lines.push(line), ...options });
  cleanUps.push(() => running.stop());
  return running;
}

async function query<Row extends object>(connection: Connection, sql: string): Promise<Row[]> {
  const client = new Client({ ...connection, database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

type Product = { child: ChildProcess; lines: string[]; connection: Connection; adopted: boolean };

/** A product of its own process, which inserts rows and prints each one the server has acknowledged. */
async function startProduct(): Promise<Product> {
  const child = spawn(process.execPath, [PRODUCT, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUps.push(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  expect(await waitUntil(() => lines.length > 0, 20_000)).toBe(true);
  return { child, lines, ...(JSON.parse(lines.shift() ?? '') as { connection: Connection; adopted: boolean }) };
}

async function kill({ child }: Product): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const serverPid = () => Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
const parentOf = (pid: number) => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Kills the product and the shells that would stop its server, so that the server stays behind. */
async function orphan(product: Product): Promise<number> {
  const pid = serverPid();
  const shell = parentOf(pid);
  for (const watcher of childrenOf(shell)) if (watcher !== pid) process.kill(watcher, 'SIGKILL');
  process.kill(shell, 'SIGKILL');
  await kill(product);
  return pid;
}

describe('startBundledPostgres', () => {
  test('starts cold and warm, keeps the data, listens on the socket only', async () => {
    const cold = await start();
    expect(cold).toMatchObject({ kind: 'bundled', adopted: false, dataDir });
    expect(cold.version).toMatch(/^\d+\.\d+$/);
    await query(cold.connection, 'create table kept as select 7 as seven');
    expect(await query(cold.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await query(cold.connection, 'show timezone')).toEqual([{ TimeZone: 'UTC' }]);
    await cold.stop();
    expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false);

    const warm = await start();
    expect(await query(warm.connection, 'select seven from kept')).toEqual([{ seven: 7 }]);
    await warm.stop();
    await warm.stop();
  });

  test('asks for the generated password, which only its owner may read', async () => {
    const { connection } = await start();
    expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600);
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    await expect(query({ ...connection, password: 'guess' }, 'select 1')).rejects.toThrow(/password authentication/);
  });

  test('is durable unless a test says otherwise', async () => {
    const { connection } = await start({ durable: true });
    expect(await query(connection, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(connection, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  test('refuses a second living product in one sentence', async () => {
    const product = await startProduct();
    const second = startBundledPostgres({ dataDir, log: () => {} });
    await expect(second).rejects.toThrow(AppStartError);
    await expect(second).rejects.toThrow(`Another Meridian is already running on DATA_DIR ${dataDir}.`);
    await expect(stopBundledPostgres(dataDir)).rejects.toThrow(/stop it, and its database stops with it/);
    expect(await query(product.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('lets one of two starts at the same moment win', async () => {
    const both = await Promise.allSettled([start(), start()]);
    const failed = both.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(failed.map(({ reason }) => String(reason))).toEqual([
      `AppStartError: Another Meridian is already running on DATA_DIR ${dataDir}.`,
    ]);
    const [winner] = both.filter((one) => one.status === 'fulfilled');
    expect(await query(winner!.value.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('is gone within a moment when its product is killed', async () => {
    const product = await startProduct();
    const pid = serverPid();
    await kill(product);
    expect(await waitUntil(() => !isAlive(pid), 1500)).toBe(true);
  });

  test('takes over a server left behind, and stops it', async () => {
    const product = await startProduct();
    const pid = await orphan(product);
    await sleep(100);
    expect(isAlive(pid)).toBe(true);
    const adopted = await start();
    expect(adopted.adopted).toBe(true);
    expect(serverPid()).toBe(pid);
    await adopted.stop();
    expect(isAlive(pid)).toBe(false);
  });

  test('keeps every acknowledged row when product and server are killed again and again', async () => {
    let last = 0;
    for (let round = 0; round < 4; round += 1) {
      const product = await startProduct();
      expect(await waitUntil(() => product.lines.length > 20, 10_000)).toBe(true);
      if (round % 2) {
        const pid = serverPid();
        process.kill(parentOf(pid), 'SIGKILL');
        process.kill(pid, 'SIGKILL');
      }
      await kill(product);
      last = Math.max(last, ...product.lines.map(Number));
    }
    const { connection } = await start();
    const [row] = await query<{ rows: number; last: number }>(
      connection,
      'select count(*)::int as rows, max(id) as last from acknowledged',
    );
    expect(row?.last).toBeGreaterThanOrEqual(last);
    expect(row?.rows).toBe(row?.last);
  });

  test('redoes an initdb that was interrupted', async () => {
    const child = spawn(process.execPath, [PRODUCT, dataDir], { stdio: 'ignore' });
    const home = join(dataDir, 'postgres');
    const unfinished = () => existsSync(home) && readdirSync(home).some((name) => name.startsWith('initdb-'));
    expect(await waitUntil(unfinished, 10_000, 1)).toBe(true);
    await sleep(50);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(join(home, 'cluster'))).toBe(false);
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(unfinished()).toBe(false);
  });

  test('puts the socket elsewhere when the path is too long for one', async () => {
    const long = join(folder, 'a-rather-long-name'.repeat(6), 'data');
    const { connection } = await start({ dataDir: long });
    cleanUps.unshift(() => rmSync(connection.host, { recursive: true, force: true }));
    expect(connection.host).toMatch(/^\/tmp\/meridian-[0-9a-f]{16}$/);
    expect(lines.join()).toContain('too long for a unix socket');
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts although the pid of a lost server now belongs to another program', async () => {
    const product = await startProduct();
    const pid = serverPid();
    process.kill(parentOf(pid), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    await kill(product);
    const other = spawn('sleep', ['60'], asRoot ? { uid: statSync(product.connection.host).uid } : {});
    cleanUps.push(() => other.kill());
    const file = join(dataDir, 'postgres/cluster/postmaster.pid');
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [other.pid, ...rest].join('\n'));
    const { connection } = await start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('names the file that is missing when LOCATION leads nowhere', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'LOCATION'), '/nowhere/at-all\n');
    await expect(start()).rejects.toThrow(
      /LOCATION says that the database is in \/nowhere\/at-all, which is not there/,
    );
  });
});

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

  test('moves out of a folder that only root may enter, and says so', async () => {
    const systemDir = join(folder, 'system');
    chmodSync(folder, 0o755);
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const first = await start({ dataDir: join(closed, 'data'), systemDir });
    const location = readFileSync(join(closed, 'data/LOCATION'), 'utf8');
    const [moved = ''] = location.split('\n');
    expect(moved).toMatch(new RegExp(`^${systemDir}/[0-9a-f]{16}$`));
    expect(location).toContain(`no other user may enter ${closed}`);
    expect(lines.join('\n')).toContain(moved);
    await query(first.connection, 'create table kept as select 7 as seven');
    await first.stop();

    chmodSync(closed, 0o755);
    const second = await start({ dataDir: join(closed, 'data'), systemDir });
    expect(await query(second.connection, 'select seven from kept')).toEqual([{ seven: 7 }]);
  });

  test('stops with one sentence when there is no place to move to', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    await expect(start({ dataDir: join(closed, 'data'), systemDir: '/proc/meridian' })).rejects.toThrow(
      /^PostgreSQL cannot run as root, no other user may enter .*closed, and \/proc\/meridian is not writable/,
    );
  });

  test('does not begin anew when its database can no longer be reached', async () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    await (await start({ dataDir: join(open, 'data') })).stop();
    chmodSync(open, 0o700);
    await expect(start({ dataDir: join(open, 'data'), systemDir: join(folder, 'system') })).rejects.toThrow(
      /make it enterable \(chmod o\+x\) or move DATA_DIR/,
    );
  });
});

describe('beside the running server', () => {
  test('ensureDatabase creates a database once, also when asked twice at once', async () => {
    const { connection } = await start();
    const made = await Promise.all([ensureDatabase(connection, 'odd "name'), ensureDatabase(connection, 'odd "name')]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await ensureDatabase(connection, 'odd "name')).toBe(false);
  });

  test('findBundledPostgres finds it while it runs', async () => {
    expect(findBundledPostgres(dataDir)).toBeUndefined();
    const running = await start();
    expect(findBundledPostgres(dataDir)).toEqual(running.connection);
    await running.stop();
    expect(findBundledPostgres(dataDir)).toBeUndefined();
  });

  test('stopBundledPostgres stops a server left behind', async () => {
    expect(await stopBundledPostgres(dataDir)).toBe(false);
    const pid = await orphan(await startProduct());
    await sleep(100);
    expect(await stopBundledPostgres(dataDir)).toBe(true);
    expect(isAlive(pid)).toBe(false);
  });
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, closeSync, globSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

import { type Account, findAccount } from '#kernel/postgres/account.ts';
import { findBinaries } from '#kernel/postgres/binaries.ts';

const DEBIAN_POSTGRES_GLOB = '/usr/lib/postgresql/*/bin/postgres';
/** Little more than the cluster needs, so that the disk fills up quickly. */
const DISK_MB = 900;
export const MAX_CONNECTIONS = 90;

/** A separate cluster in production configuration: fsync on, restarted when it dies. */
export type Cluster = {
  port: number;
  label: string;
  /** Why the disk cannot be filled here; null when it can. */
  diskNote: string | null;
  start: () => Promise<void>;
  /** SIGINT is a fast shutdown, SIGQUIT an immediate one. */
  stop: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  isRunning: () => boolean;
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  connect: () => Promise<pg.Client>;
  fillDisk: () => void;
  emptyDisk: () => void;
  close: () => Promise<void>;
};

async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    probe.close();
    if (isFree) return port;
  }
  throw new Error('No port is free');
}

function accountOf(isDebian: boolean): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (!isDebian) return findAccount([]);
  const number = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: number('-u'), gid: number('-g') };
}

function mountDisk(folder: string): string | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
    return null;
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error).trim();
  }
}

async function findPrograms(account: Account | undefined, isDebian: boolean) {
  const debian = globSync(DEBIAN_POSTGRES_GLOB).toSorted().at(-1);
  if (isDebian && debian) return { postgres: debian, initdb: debian.replace(/postgres$/, 'initdb') };
  return findBinaries({ account, systemDir: '/var/lib/meridian', major: undefined, log: () => undefined });
}

export async function createCluster(folder: string): Promise<Cluster> {
  const isDebian = globSync(DEBIAN_POSTGRES_GLOB).length > 0;
  const account = accountOf(isDebian);
  const { postgres, initdb } = await findPrograms(account, isDebian);
  const disk = `${folder}/postgres`;
  mkdirSync(disk);
  const diskNote = mountDisk(disk);
  const data = `${disk}/data`;
  if (account) {
    chmodSync(folder, 0o755);
    chownSync(disk, account.uid, account.gid);
  }
  const owner = account ?? {};
  const flags = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  execFileSync(initdb, flags, { ...owner, cwd: disk, stdio: ['ignore', 'ignore', 'inherit'], env: {} });
  const port = await freePort();
  const log = openSync(`${folder}/postgres.log`, 'a');
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: disk,
    fsync: 'on',
    max_connections: MAX_CONNECTIONS,
    max_wal_size: '192MB',
    deadlock_timeout: '500ms',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const address = { host: '127.0.0.1', port, user: 'postgres', database: 'meridian', connectionTimeoutMillis: 5000 };
  let child: ChildProcess | null = null;
  let shouldRun = false;

  /** Restarts it when it dies, like a supervisor. */
  function spawnServer(): void {
    child = spawn(postgres, args, { ...owner, cwd: disk, stdio: ['ignore', log, log], env: {} });
    child.once('exit', () => {
      setTimeout(() => {
        if (shouldRun && !isRunning()) spawnServer();
      }, 500);
    });
  }

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;

  async function connectTo(database: string): Promise<pg.Client> {
    const client = new pg.Client({ ...address, database });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function queryOnce<Row extends object>(database: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = await connectTo(database);
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  async function start(): Promise<void> {
    const end = performance.now() + 60_000;
    shouldRun = true;
    while (performance.now() < end) {
      if (!isRunning()) spawnServer();
      const accepts = await queryOnce('postgres', 'select 1').then(
        () => true,
        () => false,
      );
      if (accepts) return;
      await sleep(200);
    }
    throw new Error(`PostgreSQL did not start: see ${folder}/postgres.log`);
  }

  async function stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    shouldRun = false;
    if (!child || !isRunning()) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  const filler = `${disk}/filler`;
  await start();
  await queryOnce('postgres', 'create database meridian');
  const [version] = await queryOnce<{ version: string }>(
    'postgres',
    "select current_setting('server_version') as version",
  );
  return {
    port,
    label: `PostgreSQL ${version?.version} (${isDebian ? 'of Debian' : 'bundled'}, fsync on${diskNote === null ? ', on a disk in memory' : ''})`,
    diskNote,
    start,
    stop,
    isRunning,
    query: (sql, values) => queryOnce('meridian', sql, values),
    connect: () => connectTo('meridian'),
    fillDisk() {
      const file = openSync(filler, 'a');
      for (let size = 1 << 20; size >= 512; size /= 2) {
        try {
          for (;;) writeSync(file, Buffer.alloc(size, 1));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
      }
      closeSync(file);
    },
    emptyDisk: () => rmSync(filler, { force: true }),
    async close() {
      await stop('SIGQUIT');
      closeSync(log);
      if (diskNote === null) execFileSync('umount', ['-l', disk]);
    },
  };
}

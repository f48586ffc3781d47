import { execFileSync, type SpawnSyncOptions } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import type { Connection } from '#kernel/db.ts';
import { changeOwner, findAccount } from '#kernel/postgres/account.ts';
import { makeScratchFolder } from '#kernel/postgres/fixtures/scratch.ts';

/** The folder of Debian's newest PostgreSQL; undefined where there is none, and in CI an error. */
export function debianPostgres(): string | undefined {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').toSorted().toReversed();
  if (!newest && process.env['CI'] === 'true') throw new Error('Debian’s PostgreSQL is not installed');
  if (!newest) process.stderr.write('Skipped: Debian’s PostgreSQL is not installed\n');
  return newest && join(newest, '..');
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a PostgreSQL program as a non-root user. */
export function asNobody(command: string, args: string[], options: SpawnSyncOptions = {}): void {
  execFileSync(command, args, { stdio: 'ignore', cwd: '/tmp', ...findAccount([]), ...options });
}

/** A folder owned by the user of `asNobody`. */
export function createOwnedFolder(): string {
  const folder = makeScratchFolder();
  changeOwner(findAccount([]), folder);
  return folder;
}

/** A separate server on loopback that logs every statement as `<application> … statement`. */
export type Server = {
  port: number;
  connection: Connection;
  /** Superuser URL of one of its databases. */
  url: (database: string) => string;
  log: () => string;
  start: () => void;
  stop: (how?: 'fast' | 'immediate') => void;
  promote: () => void;
};

async function serverIn(bin: string, folder: string, name: string): Promise<Server> {
  const [data, log, port] = [join(folder, name), join(folder, `${name}.log`), await freePort()];
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    wal_level: 'replica',
    max_connections: '120',
    hot_standby_feedback: 'off',
    max_standby_streaming_delay: '500ms',
    autovacuum: 'off',
    wal_receiver_status_interval: '1',
    wal_retrieve_retry_interval: '200ms',
    log_statement: 'all',
    log_line_prefix: '<%a> ',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}='${value}'`]);
  const control = (...args: string[]) => asNobody(join(bin, 'pg_ctl'), ['-D', data, '-w', '-t', '60', ...args]);
  return {
    port,
    connection: { host: '127.0.0.1', port, user: 'postgres' },
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    start: () => control('-l', log, '-o', `-p ${port} ${options.join(' ')}`, 'start'),
    stop: (how = 'fast') => control('-m', how, 'stop'),
    promote: () => control('promote'),
  };
}

export type Pair = { primary: Server; replica: Server; folder: string; remove: () => void };

/** A primary, and a streaming replica created by pg_basebackup, not started yet. */
export async function startPair(bin: string): Promise<Pair> {
  const folder = createOwnedFolder();
  const primary = await serverIn(bin, folder, 'primary');
  asNobody(join(bin, 'initdb'), [
    '-D',
    join(folder, 'primary'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
  ]);
  primary.start();
  const replica = await serverIn(bin, folder, 'replica');
  return {
    primary,
    replica: {
      ...replica,
      start() {
        if (!existsSync(join(folder, 'replica')))
          asNobody(join(bin, 'pg_basebackup'), [
            '-D',
            join(folder, 'replica'),
            '-R',
            '-X',
            'stream',
            '-c',
            'fast',
            '-d',
            primary.url('postgres'),
          ]);
        replica.start();
      },
    },
    folder,
    remove() {
      for (const server of [replica, primary])
        try {
          server.stop('immediate');
        } catch {
          // It was stopped by the test.
        }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

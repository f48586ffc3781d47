import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findAccount } from '#kernel/postgres/account.ts';

import { createOwnedFolder, freePort } from './debian-postgres.ts';

const PGBOUNCER_PATH = '/usr/sbin/pgbouncer';

/** False where PgBouncer is not installed; in CI an error. */
export function hasPgBouncer(): boolean {
  if (existsSync(PGBOUNCER_PATH)) return true;
  if (process.env['CI'] === 'true') throw new Error('PgBouncer is not installed');
  process.stderr.write('Skipped: PgBouncer is not installed\n');
  return false;
}

export type PgBouncer = {
  /** The URL of a database, as operators configure it. */
  url: (database: string) => string;
  log: () => string;
  stop: () => Promise<void>;
};

export type UpstreamDatabase = { host: string; port: number; user: string; password: string };

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error('PgBouncer does not listen');
}

/** Debian's PgBouncer in front of a server, with default settings except its mode and pool size. */
export async function startPgBouncer(
  { host, port: server, user, password }: UpstreamDatabase,
  { mode = 'transaction', size = 5 }: { mode?: 'transaction' | 'session'; size?: number } = {},
): Promise<PgBouncer> {
  const [folder, port] = [createOwnedFolder(), await freePort()];
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  writeFileSync(join(folder, 'users.txt'), `${quoted(user)} ${quoted(password)}\n`);
  const login = password === '' ? '' : ` password='${password.replaceAll("'", "''")}'`;
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${host} port=${server} user=${user}${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 400
logfile = ${join(folder, 'log')}
pidfile = ${join(folder, 'pid')}
`,
  );
  const child: ChildProcess = spawn(PGBOUNCER_PATH, ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    cwd: '/tmp',
    ...findAccount([]),
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await waitForPort(port);
  return {
    url: (database) => `postgres://${encodeURIComponent(user)}@127.0.0.1:${port}/${database}`,
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

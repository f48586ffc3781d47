import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '#kernel/db.ts';
import { findAccount } from '#kernel/postgres/account.ts';

type Skips = { skip: (note: string) => never };
export type Server = { connection: Connection & { host: string }; url: (database: string) => string; stop: () => void };

/**
 * A temporary Debian PostgreSQL server on a socket in `folder`. Where it is missing the test is skipped; in CI it
 * fails.
 */
export function startDebianPostgresql(folder: string, test: Skips): Server {
  const bin = globSync('/usr/lib/postgresql/*/bin').toSorted()[0];
  if (!bin || !existsSync(join(bin, 'initdb'))) {
    const missing = "Debian's PostgreSQL is not installed";
    if (process.env['CI'] === 'true') throw new Error(missing);
    return test.skip(missing);
  }
  const account = findAccount([]);
  if (account) chownSync(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...account, cwd: '/', env: { LC_ALL: 'C' }, stdio: 'ignore' });
  run('initdb', '-D', data, '-U', 'meridian', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off -c max_connections=40`;
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start');
  return {
    connection: { host: folder, port: 5432, user: 'meridian', password: 'none' },
    url: (database) => `postgres://meridian:none@${encodeURIComponent(folder)}:5432/${database}`,
    stop: () => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop'),
  };
}

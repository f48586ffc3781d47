import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { changeOwner, changeOwnerRecursive } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { Home } from './home.ts';
import { AppStartError, isAlive } from './process.ts';

export const SUPERUSER = 'meridian';
const UNFINISHED = 'initdb-';

const run = promisify(execFile);

export function findMajor(home: Home): number | undefined {
  const file = join(home.cluster, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

function removeInterrupted(home: Home): void {
  for (const name of readdirSync(home.folder)) {
    if (!name.startsWith(UNFINISHED) || isAlive(Number(name.split('-')[1]))) continue;
    try {
      rmSync(join(home.folder, name), { recursive: true, force: true });
    } catch {
      // A killed initdb still writes there for a moment; the rest is removed after ours, or by the next start.
    }
  }
}

/** initdb works next to the final folder, which is then renamed, so that an existing cluster is always complete. */
export async function createCluster(options: {
  home: Home;
  binaries: Binaries;
  password: string;
  durable: boolean;
  signal: AbortSignal;
}): Promise<void> {
  const { home, binaries, password, durable, signal } = options;
  removeInterrupted(home);
  if (existsSync(home.cluster)) {
    changeOwnerRecursive(home.account, home.cluster);
    return;
  }
  const work = join(home.folder, `${UNFINISHED}${process.pid}-${randomUUID()}`);
  const cluster = join(work, 'cluster');
  const passwordFile = join(work, 'password');
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [work, cluster, passwordFile]) changeOwner(home.account, path);
  try {
    const making = run(
      binaries.initdb,
      [
        `--pgdata=${cluster}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
        ...(binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...home.account, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } },
    );
    const cancel = () => making.child.kill();
    signal.addEventListener('abort', cancel, { once: true });
    // Also awaited on shutdown: it would write into the folder that is about to be removed.
    await making.finally(() => signal.removeEventListener('abort', cancel));
    renameSync(cluster, home.cluster);
    fsyncFolder(home.folder);
    removeInterrupted(home);
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr } = error as { code?: string; stderr?: string };
    const madeByAnother = code === 'ENOTEMPTY' || code === 'EEXIST';
    if (!madeByAnother) throw new AppStartError(`Cannot create the database: ${failureReason(error as Error, stderr)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function failureReason(error: Error, stderr = ''): string {
  const line = stderr.split('\n').find((text) => /error|fatal|could not/i.test(text));
  return line?.replace(/^initdb: (error: )?/, '') ?? error.message;
}

function fsyncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

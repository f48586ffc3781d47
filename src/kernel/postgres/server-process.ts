import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { type Home, SOCKET_PORT } from './home.ts';
import { AppStartError, isAlive, readProgramName, waitUntil } from './process.ts';

const STOP_TIMEOUT_MS = 30_000;
const MAX_LOG_BYTES = 5_000_000;
const LOG_CHECK_INTERVAL_MS = 600_000;
// Above the largest pid of every system, so that PostgreSQL finds no such process.
const NO_PID = 99_999_999;

const FOR_TESTS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  // Two products plus several per test worker, each with a full pool.
  max_connections: 250,
};

// The shell stops PostgreSQL when the pipe on descriptor 3 closes, which also happens when the product is killed. It
// passes its signals on to the server: if the shell just exited, the server would be left running unsupervised.
const SUPERVISE = `
"$@" -c meridian.supervisor=$$ </dev/null 3<&- &
server=$!
trap 'kill -INT $server' TERM INT HUP
(trap '' TERM INT HUP; read -r line <&3; kill -INT $server) &
watch=$!
exec 3<&-
wait $server
code=$?
while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
kill -KILL $watch 2>/dev/null
exit $code`;

export type ServerProcess = {
  hasExited(): boolean;
  /** What the server wrote since its start. */
  output(): string;
  /** Makes its shell stop it, as the end of the product would, and waits for that. */
  abandon(): Promise<void>;
};

function serverSettings(home: Home, durable: boolean): string[] {
  const settings = {
    listen_addresses: '',
    port: SOCKET_PORT,
    unix_socket_directories: home.socketDir,
    unix_socket_permissions: '0700',
    shared_buffers: '128MB',
    max_connections: 100,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Statement errors reach the product, which reports them; here they would only grow the file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    client_connection_check_interval: '5s',
    jit: 'off',
    ...(durable ? {} : FOR_TESTS),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Keeps the log below twice its limit: one full file plus the current one. */
export function trimLog(file: string, maxBytes = MAX_LOG_BYTES): void {
  if (!existsSync(file) || statSync(file).size <= maxBytes) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}

export function limitLogSize(home: Home): () => void {
  const timer = setInterval(() => trimLog(home.logFile), LOG_CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

export function spawnServer(home: Home, binaries: Binaries, durable: boolean): ServerProcess {
  trimLog(home.logFile);
  removeStalePidFile(home);
  const logFile = openSync(home.logFile, 'a', 0o600);
  const start = statSync(home.logFile).size;
  const command = [binaries.postgres, '-D', home.cluster, ...serverSettings(home, durable)];
  let exited = false;
  const child = spawn('/bin/sh', ['-c', SUPERVISE, 'meridian-postgres', ...command], {
    ...home.account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    // A separate session: Ctrl-C in a terminal reaches only the product, which stops the server when it is done.
    detached: true,
    stdio: ['ignore', logFile, logFile, 'pipe'],
  });
  closeSync(logFile);
  child.once('exit', () => {
    exited = true;
  });
  child.once('error', () => {
    exited = true;
  });
  child.unref();
  const pipe = child.stdio[3] as Socket | null;
  pipe?.on('error', () => {});
  pipe?.unref();
  return {
    hasExited: () => exited,
    output: () => readFileSync(home.logFile).subarray(start).toString(),
    async abandon() {
      pipe?.destroy();
      await waitUntil(() => exited, STOP_TIMEOUT_MS);
    },
  };
}

function pidFilePath(home: Home): string {
  return join(home.cluster, 'postmaster.pid');
}

/** Empty when the file is missing: a stopping server may remove it at any time. */
function readPidFile(home: Home): string {
  try {
    return readFileSync(pidFilePath(home), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

export function findServerPid(home: Home): number | undefined {
  const pid = Number(readPidFile(home).split('\n')[0]);
  return isAlive(pid) && ['postgres', ''].includes(readProgramName(pid)) ? pid : undefined;
}

function secondsSinceWrite(file: string): number {
  return (performance.timeOrigin + performance.now() - statSync(file).mtimeMs) / 1000;
}

/** The pid of a killed server may be reused or not yet reaped, and PostgreSQL would refuse to start forever. */
function removeStalePidFile(home: Home): void {
  if (findServerPid(home)) return;
  // The other lines stay: PostgreSQL uses them to check whether the old shared memory is still in use.
  const lines = readPidFile(home).split('\n');
  // Written in place, because a new file would stay empty on a full disk.
  if (lines.length > 1) writeFileSync(pidFilePath(home), [NO_PID, ...lines.slice(1)].join('\n'), { flag: 'r+' });
  // PostgreSQL refuses an empty file forever; a recent one may belong to a server about to write its pid.
  else if (existsSync(pidFilePath(home)) && secondsSinceWrite(pidFilePath(home)) > 2) rmSync(pidFilePath(home));
}

// Line 8 of the pid file.
const STATE_LINE = 7;

/**
 * On SIGTERM a server refuses new sessions and waits for existing ones, which never end in a living product: a fast
 * shutdown ends them.
 */
export function escalateShutdown(home: Home): void {
  const state = readPidFile(home).split('\n')[STATE_LINE]?.trim();
  const pid = state === 'stopping' ? findServerPid(home) : undefined;
  try {
    if (pid) process.kill(pid, 'SIGINT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Fast shutdown: sessions are ended, everything is written, and the call returns when the server has exited. */
export async function stopServer(home: Home): Promise<void> {
  const pid = findServerPid(home);
  if (!pid) return;
  const isGone = () => !isAlive(pid);
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await waitUntil(isGone, STOP_TIMEOUT_MS)) return;
  }
  throw new AppStartError(`PostgreSQL (process ${pid}) did not stop.`);
}

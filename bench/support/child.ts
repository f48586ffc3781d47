import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migrate } from '#app/server/migrations.ts';
import type { Connection } from '#kernel/db.ts';
import { startBundledPostgres } from '#kernel/postgres/bundled-postgres.ts';
import { ensureDatabase } from '#kernel/postgres/pooler.ts';

import type { Context } from '../benchmark.ts';

export type Child = {
  pid: number;
  /** Calls a function that the process offers with `offer()`. */
  call: <T = void>(name: string, ...args: unknown[]) => Promise<T>;
  stop: () => Promise<void>;
};

type CallResult = { id: number; value?: unknown; error?: string };

const KILL_TIMEOUT_MS = 10_000;

/** Starts one of `bench/processes` and waits until it is ready. */
export async function startChild(file: string, options: unknown = null): Promise<Child> {
  const child: ChildProcess = fork(new URL(`../processes/${file}`, import.meta.url), [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const pendingCalls = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let nextId = 0;
  let hasExited = false;
  const exited = once(child, 'exit').then(([code]) => {
    hasExited = true;
    for (const { reject } of pendingCalls.values()) reject(new Error(`${file} ended with ${code}`));
  });
  child.on('message', ({ id, value, error }: CallResult) => {
    const call = pendingCalls.get(id);
    pendingCalls.delete(id);
    if (error === undefined) call?.resolve(value as never);
    else call?.reject(new Error(`${file}: ${error}`));
  });
  const call = <T>(name: string, ...args: unknown[]) =>
    new Promise<T>((resolve, reject) => {
      const id = nextId++;
      pendingCalls.set(id, { resolve, reject });
      if (hasExited) reject(new Error(`${file} is gone`));
      else child.send({ id, name, args });
    });
  await call('ready');
  return {
    pid: child.pid as number,
    call,
    async stop() {
      if (hasExited) return;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

export function createTempFolder(context: Context): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  // The database server may run as another user.
  chmodSync(folder, 0o755);
  context.cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A separate bundled PostgreSQL; returns a function that creates a migrated database on it. A durable one waits for the
 * disk, as in production.
 */
export async function startDatabases(
  context: Context,
  { durable = false } = {},
): Promise<(name: string) => Promise<Connection>> {
  const dataDir = createTempFolder(context);
  const server = await startBundledPostgres({ dataDir, durable, log: () => undefined });
  context.cleanUp(() => server.stop());
  return async (name) => {
    await ensureDatabase(server.connection, name);
    const connection = { ...server.connection, database: name };
    await migrate(connection);
    return connection;
  };
}

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '#kernel/config.ts';
import { errorMessage } from '#kernel/errors.ts';
import { createLog, type Log } from '#kernel/log.ts';
import { AppStartError } from '#kernel/postgres/process.ts';
import { grouped } from '#shared/format.ts';
import { readTargetState } from '../backup/databases.ts';
import { live } from '../lifetime.ts';
import { openStorage, type Storage } from '../storage.ts';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Parses the command-line arguments; for unknown ones, `usage` is the whole error message. */
export function read<O extends Options>(args: string[], options: O, usage: string) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new AppStartError(`${errorMessage(error).split('. ')[0]}. Usage: ${usage}`);
  }
}

/** Opens the configured database for one operation and closes it again; `attach` joins a server that already runs. */
export async function withStorage<T>(
  config: Config,
  name: string,
  attach: boolean,
  work: (storage: Storage, signal: AbortSignal, log: Log) => Promise<T>,
): Promise<T> {
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, undefined, name);
  let done: { value: T } | undefined;
  await live(log, async ({ signal, onEnd }) => {
    // A snapshot or a load needs a single session, so it bypasses a pooler.
    const own = { DATABASE_URL: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, DATABASE_DIRECT_URL: undefined };
    const storage = await openStorage({ ...config, ...own, READ_DATABASE_URL: undefined }, { log, signal, attach });
    onEnd(storage.stop);
    try {
      done = { value: await work(storage, signal, log) };
    } catch (error) {
      throw describeFailure(error);
    }
  });
  if (!done) throw new AppStartError(`${name}: interrupted`);
  return done.value;
}

/** Failures of the machine or the server become one sentence; anything else is a bug and keeps its stack. */
function describeFailure(error: unknown): unknown {
  if (error instanceof AppStartError) return error;
  const { code = '', path } = error as { code?: string; path?: string };
  if (code === 'ENOSPC') return new AppStartError(`No space left on the disk of ${path ?? 'the backup'}.`);
  if (code === '53100') return new AppStartError('The disk of the database is full.');
  if (code === '42501') return new AppStartError(`The database denied permission: ${errorMessage(error)}.`);
  const isLost = /^(57P|08)/.test(code) || /^Connection terminated|ECONN/.test(`${errorMessage(error)}${code}`);
  return isLost ? new AppStartError(`The connection to the database was lost: ${errorMessage(error)}.`) : error;
}

/** The mode of the existing data; when there is both live and demo data it is live, unless DATA_MODE says otherwise. */
export async function readDataMode(config: Config, storage: Storage): Promise<'live' | 'demo'> {
  if (config.DATA_MODE !== 'auto') return config.DATA_MODE;
  for (const mode of ['live', 'demo'] as const) {
    const state = await readTargetState(storage.connectionTo(mode));
    if (state === 'filled' || state === 'unfinished') return mode;
  }
  throw new AppStartError('No Meridian database found.');
}

export const keyFilePath = (config: Config): string => join(config.dataDir, 'secret.key');

export const formatCount = (count: number, what: string): string =>
  `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

export const formatDuration = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1)} s`;

export const formatBytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;

export const print = (lines: [string, string][]): void =>
  console.log(lines.map(([head, text]) => `${head.padEnd(10)}${text}`).join('\n'));

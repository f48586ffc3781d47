import { inspect } from 'node:util';

import type { Db } from './db.ts';
import { messageOf } from './errors.ts';
import { type Log, redacted } from './log.ts';

export type ErrorType = 'api_failure' | 'data_collection' | 'authentication' | 'system' | 'other';

interface ErrorLogsTable {
  id: import('kysely').Generated<number>;
  source: string;
  type: ErrorType;
  message: string;
  details: string | null;
  timestamp: string;
}

declare module './db.ts' {
  interface Tables {
    error_logs: ErrorLogsTable;
  }
}

/** Details may be any value; errors keep their stack. Stored for the error-log page, and logged. Never throws. */
export type ReportError = (source: string, type: ErrorType, message: string, details?: unknown) => void;

const MAX_TEXT = 8_000;
const QUIET_MS = 60_000;

/** The same failure is stored and logged once a minute at most: a source that is down must not fill the table. */
export function createErrorReports(db: Db, log: Log, now: () => Date) {
  const lastStored = new Map<string, number>();
  const pending = new Set<Promise<unknown>>();

  const report: ReportError = (source, type, message, details) => {
    const at = now();
    const key = `${source}\n${type}\n${message}`;
    const last = lastStored.get(key);
    const isRepeated = last !== undefined && Math.abs(at.getTime() - last) < QUIET_MS;
    log[isRepeated ? 'debug' : 'warn'](
      { source, type, details: details instanceof Error ? details.stack : details },
      message,
    );
    if (isRepeated) return;
    if (lastStored.size > 500) lastStored.clear();
    lastStored.set(key, at.getTime());
    const row = { source, type, message: storable(message), details: describe(details), timestamp: at.toISOString() };
    const write = db
      .insertInto('error_logs')
      .values(row)
      .execute()
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'an error report could not be stored'))
      .finally(() => pending.delete(write));
    pending.add(write);
  };

  return { report, settled: () => Promise.allSettled(pending) };
}

function describe(details: unknown): string | null {
  if (details === undefined || details === null) return null;
  return storable(textOf(details));
}

/** PostgreSQL refuses a zero byte in a text. */
function storable(text: string): string {
  return redacted(text.replaceAll('\0', '')).slice(0, MAX_TEXT);
}

function textOf(details: unknown): string {
  if (details instanceof Error) return details.stack ?? details.message;
  if (typeof details === 'string') return details;
  try {
    return JSON.stringify(details) ?? String(details);
  } catch {
    return inspect(details);
  }
}

import { inspect } from 'node:util';

import type { Db } from './db.ts';
import {
  addFailures,
  catchAllMessage,
  computeFingerprint,
  type ErrorType,
  type Failure,
  MAX_OCCURRENCES,
  mergeFailures,
  OTHER_SOURCES,
} from './error-store.ts';
import { errorMessage } from './errors.ts';
import { type Log, redacted } from './log.ts';
import { createCounter } from './route-figures.ts';

export type { ErrorType } from './error-store.ts';

/**
 * Details may be any value; errors keep their stack, and a `requestId` in them names the request. Stored for the error-log
 * page, and logged. Never throws.
 */
export type ReportError = (source: string, type: ErrorType, message: string, details?: unknown) => void;

const MAX_TEXT = 8_000;
const REPEAT_WINDOW_MS = 60_000;
/** Repeats are counted in memory this long. */
const COUNT_INTERVAL_MS = 2_000;
const MAX_SEEN = 500;
/** Distinct failures between two writes; the next hundred places hold the rest of each source. */
const MAX_PENDING = 500;
const MAX_CATCH_ALL = 100;

type LatestOccurrence = { message: string; details: unknown; at: Date };
type PendingFailure = Pick<Failure, 'source' | 'type' | 'fingerprint' | 'firstAt' | 'lastAt' | 'count'> & {
  /** Its details include the latest message, because many share an entry. */
  isCatchAll: boolean;
  newest: LatestOccurrence;
  requestId: string | null;
  occurrences: LatestOccurrence[];
};

const reported = createCounter('meridian_errors_reported_total', 'Failures reported by this process, by type.', [
  'type',
]);

/**
 * The same failure is logged and stored as an occurrence at most once a minute, so that a source that is down does not
 * fill the table. All repeats are counted: counts are added every two seconds and by `settled`.
 */
export function createErrorReports(db: Db, log: Log, now: () => Date) {
  const seen = new Map<string, { at: number; fingerprint: string }>();
  const pending = new Map<string, PendingFailure>();
  /** Counts whose write failed, added with the next ones. */
  let unwritten = new Map<string, Failure>();
  let timer: NodeJS.Timeout | null = null;
  /** Resolves to whether the database accepted the write. */
  let writing: Promise<boolean> | null = null;
  let isUrgent = false;

  /** Memory is bounded: a failure without a place is counted with the rest of its source, or of all sources. */
  function groupFor(source: string, type: ErrorType, fingerprint: string) {
    const has = (key: string) => pending.has(key) || unwritten.has(key);
    const size = pending.size + unwritten.size;
    if (has(fingerprint) || size < MAX_PENDING) return { source, fingerprint, isCatchAll: false };
    const rest = computeFingerprint(source, type, catchAllMessage(source));
    if (has(rest) || size < MAX_PENDING + MAX_CATCH_ALL) return { source, fingerprint: rest, isCatchAll: true };
    return {
      source: OTHER_SOURCES,
      fingerprint: computeFingerprint(OTHER_SOURCES, type, catchAllMessage(OTHER_SOURCES)),
      isCatchAll: true,
    };
  }

  function count(
    source: string,
    type: ErrorType,
    fingerprint: string,
    newest: LatestOccurrence,
    isOccurrence: boolean,
  ): void {
    const { at } = newest;
    const place = groupFor(source, type, fingerprint);
    const known = pending.get(place.fingerprint);
    const requestId = requestIdIn(newest.details);
    if (known) {
      known.count += 1;
      if (at < known.firstAt) known.firstAt = at;
      if (at >= known.lastAt) Object.assign(known, { lastAt: at, newest, requestId: requestId ?? known.requestId });
    } else
      pending.set(place.fingerprint, {
        ...place,
        type,
        newest,
        requestId,
        firstAt: at,
        lastAt: at,
        count: 1,
        occurrences: [],
      });
    if (!isOccurrence) return;
    const { occurrences } = pending.get(place.fingerprint) as PendingFailure;
    occurrences.push(newest);
    if (occurrences.length > MAX_OCCURRENCES) occurrences.shift();
  }

  async function drain(): Promise<boolean> {
    while (isUrgent && pending.size + unwritten.size > 0) {
      isUrgent = false;
      const batch = unwritten;
      unwritten = new Map();
      for (const [key, each] of pending) {
        const failure = toFailure(each);
        const earlier = batch.get(key);
        batch.set(key, earlier ? mergeFailures(earlier, failure) : failure);
      }
      pending.clear();
      try {
        await addFailures(db, [...batch.values()]);
      } catch (error) {
        log.error({ error: errorMessage(error) }, 'failed to store an error report');
        unwritten = new Map([...batch].map(([key, failure]) => [key, { ...failure, occurrences: [] }]));
        scheduleFlush(REPEAT_WINDOW_MS);
        return false;
      }
    }
    return true;
  }

  function flush(): Promise<boolean> {
    isUrgent = true;
    writing ??= drain().finally(() => {
      writing = null;
    });
    return writing;
  }

  function scheduleFlush(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, ms).unref();
  }

  function writeLog(level: 'debug' | 'warn', what: object, message: string, details: unknown): void {
    try {
      log[level]({ ...what, details: details instanceof Error ? details.stack : details }, message);
    } catch {
      log[level](what, message);
    }
  }

  const report: ReportError = (source, type, message, details) => {
    reported.inc({ type });
    const at = now();
    const key = `${source}\n${type}\n${message}`;
    const last = seen.get(key);
    const isRepeated = last !== undefined && Math.abs(at.getTime() - last.at) < REPEAT_WINDOW_MS;
    writeLog(isRepeated ? 'debug' : 'warn', { source, type }, message, details);
    const fingerprint = last?.fingerprint ?? computeFingerprint(source, type, sanitize(message));
    count(source, type, fingerprint, { message, details, at }, !isRepeated);
    if (isRepeated) {
      scheduleFlush(COUNT_INTERVAL_MS);
      return;
    }
    if (seen.size > MAX_SEEN) seen.clear();
    seen.set(key, { at: at.getTime(), fingerprint });
    void flush();
  };

  return {
    report,
    /** Writes pending counts. A failed write is tried once. */
    settled: async (): Promise<void> => {
      if (timer) clearTimeout(timer);
      timer = null;
      if ((await writing) !== false) await flush();
    },
  };
}

function toFailure({ isCatchAll, newest, occurrences, ...pending }: PendingFailure): Failure {
  const message = sanitize(newest.message);
  const details = describe(newest.details);
  return {
    ...pending,
    ...(isCatchAll
      ? {
          message: catchAllMessage(pending.source),
          details: sanitize(details === null ? message : `${message}\n\n${details}`),
        }
      : { message, details }),
    occurrences: occurrences.map((each) => ({
      message: sanitize(each.message),
      details: describe(each.details),
      at: each.at,
    })),
  };
}

function requestIdIn(details: unknown): string | null {
  try {
    const { requestId } = details as { requestId?: unknown };
    return typeof requestId === 'string' ? sanitize(requestId).slice(0, 100) : null;
  } catch {
    return null;
  }
}

function describe(details: unknown): string | null {
  if (details === undefined || details === null) return null;
  return sanitize(detailsToText(details));
}

/** PostgreSQL does not accept a zero byte in text. */
function sanitize(text: string): string {
  return redacted(text.replaceAll('\0', '')).slice(0, MAX_TEXT);
}

function detailsToText(details: unknown): string {
  if (typeof details === 'string') return details;
  try {
    if (details instanceof Error) return details.stack ?? details.message;
    return JSON.stringify(details) ?? String(details);
  } catch {
    return safeInspect(details);
  }
}

/** A value that throws while it is inspected must not break the report. */
function safeInspect(details: unknown): string {
  try {
    return inspect(details);
  } catch {
    return 'Details that cannot be read';
  }
}

import { inspect } from 'node:util';

import type { Db } from './db.ts';
import {
  addFailures,
  type ErrorType,
  type Failure,
  fingerprintOf,
  joined,
  KEPT_OCCURRENCES,
  OTHER_SOURCES,
  restOf,
} from './error-store.ts';
import { messageOf } from './errors.ts';
import { type Log, redacted } from './log.ts';
import { counterOf } from './route-figures.ts';

export type { ErrorType } from './error-store.ts';

/**
 * Details may be any value; errors keep their stack, and a `requestId` in them names the request. Stored for the error-log
 * page, and logged. Never throws.
 */
export type ReportError = (source: string, type: ErrorType, message: string, details?: unknown) => void;

const MAX_TEXT = 8_000;
const QUIET_MS = 60_000;
/** Repeats are counted in memory this long. */
const COUNT_EVERY_MS = 2_000;
const MOST_REMEMBERED = 500;
/** Distinct failures between two writes; the next hundred places hold the rest of each source. */
const MOST_WAITING = 500;
const MOST_RESTS = 100;

type Newest = { message: string; details: unknown; at: Date };
type Waiting = Pick<Failure, 'source' | 'type' | 'fingerprint' | 'firstAt' | 'lastAt' | 'count'> & {
  /** Its details include the latest message, because many share an entry. */
  isRest: boolean;
  newest: Newest;
  requestId: string | null;
  occurrences: Newest[];
};

const reported = counterOf('meridian_errors_reported_total', 'Failures reported by this process, by type.', ['type']);

/**
 * The same failure is logged and stored as an occurrence at most once a minute, so that a source that is down does not
 * fill the table. All repeats are counted: counts are added every two seconds and by `settled`.
 */
export function createErrorReports(db: Db, log: Log, now: () => Date) {
  const seen = new Map<string, { at: number; fingerprint: string }>();
  const waiting = new Map<string, Waiting>();
  /** Counts whose write failed, added with the next ones. */
  let unwritten = new Map<string, Failure>();
  let timer: NodeJS.Timeout | null = null;
  /** Resolves to whether the database accepted the write. */
  let writing: Promise<boolean> | null = null;
  let isUrgent = false;

  /** Memory is bounded: a failure without a place is counted with the rest of its source, or of all sources. */
  function placeFor(source: string, type: ErrorType, fingerprint: string) {
    const has = (key: string) => waiting.has(key) || unwritten.has(key);
    const size = waiting.size + unwritten.size;
    if (has(fingerprint) || size < MOST_WAITING) return { source, fingerprint, isRest: false };
    const rest = fingerprintOf(source, type, restOf(source));
    if (has(rest) || size < MOST_WAITING + MOST_RESTS) return { source, fingerprint: rest, isRest: true };
    return {
      source: OTHER_SOURCES,
      fingerprint: fingerprintOf(OTHER_SOURCES, type, restOf(OTHER_SOURCES)),
      isRest: true,
    };
  }

  function count(source: string, type: ErrorType, fingerprint: string, newest: Newest, isOccurrence: boolean): void {
    const { at } = newest;
    const place = placeFor(source, type, fingerprint);
    const known = waiting.get(place.fingerprint);
    const requestId = requestIdIn(newest.details);
    if (known) {
      known.count += 1;
      if (at < known.firstAt) known.firstAt = at;
      if (at >= known.lastAt) Object.assign(known, { lastAt: at, newest, requestId: requestId ?? known.requestId });
    } else
      waiting.set(place.fingerprint, {
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
    const { occurrences } = waiting.get(place.fingerprint) as Waiting;
    occurrences.push(newest);
    if (occurrences.length > KEPT_OCCURRENCES) occurrences.shift();
  }

  async function drain(): Promise<boolean> {
    while (isUrgent && waiting.size + unwritten.size > 0) {
      isUrgent = false;
      const batch = unwritten;
      unwritten = new Map();
      for (const [key, each] of waiting) {
        const failure = failureOf(each);
        const earlier = batch.get(key);
        batch.set(key, earlier ? joined(earlier, failure) : failure);
      }
      waiting.clear();
      try {
        await addFailures(db, [...batch.values()]);
      } catch (error) {
        log.error({ error: messageOf(error) }, 'failed to store an error report');
        unwritten = new Map([...batch].map(([key, failure]) => [key, { ...failure, occurrences: [] }]));
        later(QUIET_MS);
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

  function later(ms: number): void {
    timer ??= setTimeout(() => {
      timer = null;
      void flush();
    }, ms).unref();
  }

  function tell(level: 'debug' | 'warn', what: object, message: string, details: unknown): void {
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
    const isRepeated = last !== undefined && Math.abs(at.getTime() - last.at) < QUIET_MS;
    tell(isRepeated ? 'debug' : 'warn', { source, type }, message, details);
    const fingerprint = last?.fingerprint ?? fingerprintOf(source, type, storable(message));
    count(source, type, fingerprint, { message, details, at }, !isRepeated);
    if (isRepeated) {
      later(COUNT_EVERY_MS);
      return;
    }
    if (seen.size > MOST_REMEMBERED) seen.clear();
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

function failureOf({ isRest, newest, occurrences, ...waiting }: Waiting): Failure {
  const message = storable(newest.message);
  const details = describe(newest.details);
  return {
    ...waiting,
    ...(isRest
      ? { message: restOf(waiting.source), details: storable(details === null ? message : `${message}\n\n${details}`) }
      : { message, details }),
    occurrences: occurrences.map((each) => ({
      message: storable(each.message),
      details: describe(each.details),
      at: each.at,
    })),
  };
}

function requestIdIn(details: unknown): string | null {
  try {
    const { requestId } = details as { requestId?: unknown };
    return typeof requestId === 'string' ? storable(requestId).slice(0, 100) : null;
  } catch {
    return null;
  }
}

function describe(details: unknown): string | null {
  if (details === undefined || details === null) return null;
  return storable(textOf(details));
}

/** PostgreSQL does not accept a zero byte in text. */
function storable(text: string): string {
  return redacted(text.replaceAll('\0', '')).slice(0, MAX_TEXT);
}

function textOf(details: unknown): string {
  if (typeof details === 'string') return details;
  try {
    if (details instanceof Error) return details.stack ?? details.message;
    return JSON.stringify(details) ?? String(details);
  } catch {
    return inspected(details);
  }
}

/** A value that throws while it is inspected must not break the report. */
function inspected(details: unknown): string {
  try {
    return inspect(details);
  } catch {
    return 'Details that cannot be read';
  }
}

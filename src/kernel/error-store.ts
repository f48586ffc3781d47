import { createHash } from 'node:crypto';
import { type Generated, sql } from 'kysely';

import type { Db } from './db.ts';

/** Longer messages differ at the beginning, or are the same failure. */
const MAX_MESSAGE_LENGTH = 1_000;

const VARIABLE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi, '$1'],
  // Built file names contain a content hash.
  [/-[\w-]{8}(?=\.(?:js|css)\b)/g, ''],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '#'],
  [/\b0x[\da-f]+\b/gi, '#'],
  [/\b(?=[a-f]*\d)[\da-f]{8,}\b/gi, '#'],
  [/\b(?=[\w-]*\d)[\w-]{16,}/g, '#'],
];

/** The message without its variable parts. The HTTP status is part of the kind of failure, so it stays. */
export function normalizeMessage(message: string): string {
  const plain = VARIABLE_PARTS.reduce(
    (rest, [pattern, instead]) => rest.replaceAll(pattern, instead),
    message.slice(0, MAX_MESSAGE_LENGTH),
  );
  return plain
    .replaceAll(/(answered )?\d+(?:[.,:]\d+)*/g, (found, answered?: string) => (answered ? found : '#'))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** 32 hexadecimal digits; the same for a recurring failure. */
export function computeFingerprint(source: string, type: string, message: string): string {
  return createHash('sha256')
    .update([source, type, normalizeMessage(message)].join('\n'))
    .digest('hex')
    .slice(0, 32);
}

export type ErrorType = 'api_failure' | 'data_collection' | 'authentication' | 'system' | 'other';

/** The newest occurrences of each group. */
interface ErrorLogsTable {
  id: Generated<number>;
  source: string;
  type: ErrorType;
  message: string;
  details: string | null;
  timestamp: string;
  group_id: number | null;
}

/** One failure and its count. Message, details and request belong to the latest occurrence. */
interface ErrorGroupsTable {
  id: Generated<number>;
  fingerprint: string;
  source: string;
  type: ErrorType;
  message: string;
  details: string | null;
  request_id: string | null;
  first_seen: string;
  last_seen: string;
  count: number;
  resolved_at: string | null;
}

declare module './db.ts' {
  interface Tables {
    error_logs: ErrorLogsTable;
    error_groups: ErrorGroupsTable;
  }
}

export type Occurrence = { message: string; details: string | null; at: Date };

/** How often a failure occurred since the last write. */
export type Failure = {
  fingerprint: string;
  source: string;
  type: ErrorType;
  message: string;
  details: string | null;
  requestId: string | null;
  firstAt: Date;
  lastAt: Date;
  count: number;
  occurrences: readonly Occurrence[];
};

/** Occurrences stored per group. */
export const MAX_OCCURRENCES = 20;
/** Maximum open groups per source and in total. Further errors are counted together. */
export const MAX_GROUPS_PER_SOURCE = 200;
export const MAX_GROUPS = 2_000;
const WRITERS_LOCK = 7_246_124;

/** The catch-all group for errors beyond the limits: of one source, or of all sources beyond the limit. */
export const catchAllMessage = (source: string): string => `Further errors of ${source}`;
export const OTHER_SOURCES = 'other sources';

/** Details include the full latest message, because this group has none of its own. */
function toCatchAll(failure: Failure, source: string): Failure {
  const { type, message, details } = failure;
  const fingerprint = computeFingerprint(source, type, catchAllMessage(source));
  if (fingerprint === failure.fingerprint) return failure;
  return {
    ...failure,
    fingerprint,
    source,
    message: catchAllMessage(source),
    details: details === null ? message : `${message}\n\n${details}`,
  };
}

/** Merges two counts of one failure. */
export function mergeFailures(one: Failure, other: Failure): Failure {
  const [earlier, newer] = other.lastAt >= one.lastAt ? [one, other] : [other, one];
  return {
    ...newer,
    requestId: newer.requestId ?? earlier.requestId,
    firstAt: one.firstAt < other.firstAt ? one.firstAt : other.firstAt,
    count: one.count + other.count,
    occurrences: [...earlier.occurrences, ...newer.occurrences].slice(-MAX_OCCURRENCES),
  };
}

/** Adds failures to the counts in one transaction; exact with any number of writing processes. */
export async function addFailures(db: Db, failures: readonly Failure[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Limits apply across processes, and rows are locked in one order.
    await sql`select pg_advisory_xact_lock(${WRITERS_LOCK})`.execute(tx);
    const fitting = await applyGroupLimits(tx, failures);
    const ids = await addCounts(tx, fitting);
    await addOccurrences(tx, fitting, ids);
  });
}

async function applyGroupLimits(tx: Db, failures: readonly Failure[]): Promise<Failure[]> {
  const known = await tx
    .selectFrom('error_groups')
    .select('fingerprint')
    .where('fingerprint', 'in', [...new Set(failures.map(({ fingerprint }) => fingerprint))])
    .execute();
  const knownFingerprints = new Set(known.map(({ fingerprint }) => fingerprint));
  const open = await tx
    .selectFrom('error_groups')
    .select(['source', sql<number>`count(*)::int`.as('groups')])
    .where('resolved_at', 'is', null)
    .groupBy('source')
    .execute();
  const bySource = new Map(open.map(({ source, groups }) => [source, groups]));
  let all = open.reduce((sum, { groups }) => sum + groups, 0);
  const fitting = new Map<string, Failure>();
  for (const failure of failures) {
    let place = failure;
    const { source } = failure;
    if (!knownFingerprints.has(place.fingerprint)) {
      const ofSource = bySource.get(source) ?? 0;
      if (all >= MAX_GROUPS) place = toCatchAll(failure, OTHER_SOURCES);
      else if (ofSource >= MAX_GROUPS_PER_SOURCE) place = toCatchAll(failure, source);
      if (!knownFingerprints.has(place.fingerprint)) {
        knownFingerprints.add(place.fingerprint);
        bySource.set(place.source, (bySource.get(place.source) ?? 0) + 1);
        all += 1;
      }
    }
    const same = fitting.get(place.fingerprint);
    fitting.set(place.fingerprint, same ? mergeFailures(same, place) : place);
  }
  return [...fitting.values()];
}

async function addCounts(tx: Db, failures: readonly Failure[]): Promise<Map<string, number>> {
  const newer = sql`excluded.last_seen >= error_groups.last_seen`;
  const rows = await tx
    .insertInto('error_groups')
    .values(
      failures.map(({ fingerprint, source, type, message, details, count, ...failure }) => ({
        fingerprint,
        source,
        type,
        message,
        details,
        count,
        request_id: failure.requestId,
        first_seen: failure.firstAt.toISOString(),
        last_seen: failure.lastAt.toISOString(),
        resolved_at: null,
      })),
    )
    .onConflict((oc) =>
      oc.column('fingerprint').doUpdateSet({
        message: sql`case when ${newer} then excluded.message else error_groups.message end`,
        details: sql`case when ${newer} then excluded.details else error_groups.details end`,
        request_id: sql`case when ${newer} then coalesce(excluded.request_id, error_groups.request_id)
          else coalesce(error_groups.request_id, excluded.request_id) end`,
        first_seen: sql`least(error_groups.first_seen, excluded.first_seen)`,
        last_seen: sql`greatest(error_groups.last_seen, excluded.last_seen)`,
        count: sql`error_groups.count + excluded.count`,
        // A recurrence reopens the group.
        resolved_at: sql`case when excluded.last_seen > error_groups.resolved_at then null else error_groups.resolved_at end`,
      }),
    )
    .returning(['id', 'fingerprint'])
    .execute();
  return new Map(rows.map(({ id, fingerprint }) => [fingerprint, id]));
}

async function addOccurrences(tx: Db, failures: readonly Failure[], ids: Map<string, number>): Promise<void> {
  const rows = failures.flatMap(({ fingerprint, source, type, occurrences }) =>
    occurrences.map(({ message, details, at }) => ({
      source,
      type,
      message,
      details,
      timestamp: at.toISOString(),
      group_id: ids.get(fingerprint) ?? null,
    })),
  );
  if (rows.length === 0) return;
  await tx.insertInto('error_logs').values(rows).execute();
  await sql`delete from error_logs where id in (
    select id from (
      select id, row_number() over (partition by group_id order by id desc) as place
      from error_logs where group_id = any(${[...ids.values()]}::bigint[])
    ) as newest where place > ${MAX_OCCURRENCES})`.execute(tx);
}

/** Deletes errors not seen for 30 days, and older occurrences. */
export async function deleteOldErrors(db: Db, now: Date, daysKept: number): Promise<void> {
  const limit = new Date(now.getTime() - daysKept * 86_400_000).toISOString();
  await db.deleteFrom('error_logs').where('timestamp', '<', limit).execute();
  await db.deleteFrom('error_groups').where('last_seen', '<', limit).execute();
}

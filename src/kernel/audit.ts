import { type Generated, type JSONColumnType, sql } from 'kysely';

import type { Db } from './db.ts';

interface AuditLogTable {
  id: Generated<number>;
  at: string;
  actor_id: number | null;
  subject_id: number | null;
  action: string;
  details: JSONColumnType<Record<string, unknown>>;
  network: string | null;
}

declare module './db.ts' {
  interface Tables {
    audit_log: AuditLogTable;
  }
}

export type AuditEntry = {
  at: Date;
  /** The account that acted; null when unknown, as after a failed sign-in. */
  actorId: number | null;
  /** The account affected. */
  subjectId: number | null;
  /** Noun and verb, such as 'session.start'. */
  action: string;
  details?: Record<string, unknown>;
  network?: string | null;
};

/** The first broken position of the chain, 0 for an entry outside it; null when the log is intact. */
export async function findAuditFault(db: Db): Promise<number | null> {
  const { rows } = await sql<{ place: number | null }>`select broken_audit_place() as place`.execute(db);
  return rows[0]?.place ?? null;
}

/** Records a security-relevant action in the transaction of the action itself. Never pass a secret. */
export async function audit(db: Db, { at, actorId, subjectId, action, details, network }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      at: at.toISOString(),
      actor_id: actorId,
      subject_id: subjectId,
      action,
      details: JSON.stringify(details ?? {}),
      network: network ?? null,
    })
    .execute();
}

import type { z } from 'zod/mini';

import type { AuditEntry, listAudit } from '#features/operations/contract/admin.ts';
import type { Db } from '#kernel/db.ts';
import type { Input } from '#kernel/route.ts';

import { type AuditRow, newestEntries } from '../store/audit.ts';
import { addressesOf, findIds } from '../store/users.ts';

const PAGE = 50;
const DAY_MS = 86_400_000;
/** More accounts than this are not told apart by a part of an address: the newest count. */
const MOST_ACCOUNTS = 500;

/** An id stands also for a deleted account. */
async function idsOf(db: Db, wanted: string | undefined): Promise<number[] | undefined> {
  const text = wanted?.trim();
  if (!text) return undefined;
  return /^\d{1,15}$/.test(text) ? [Number(text)] : findIds(db, text, MOST_ACCOUNTS);
}

/** Who an id belongs to; `email` is null once the account is gone. */
export const partyOf = (addresses: ReadonlyMap<number, string>, id: number | null) =>
  id === null ? null : { id, email: addresses.get(id) ?? null };

export async function withParties(db: Db, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const addresses = await addressesOf(
    db,
    rows.flatMap(({ actor_id, subject_id }) => [actor_id, subject_id]),
  );
  return rows.map(({ actor_id, subject_id, ...entry }) => ({
    ...entry,
    actor: partyOf(addresses, actor_id),
    subject: partyOf(addresses, subject_id),
  }));
}

export async function readAudit(
  { db }: { db: Db },
  { action, actor, subject, from, to, before }: Input<typeof listAudit>['query'],
): Promise<z.infer<(typeof listAudit)['reply']>> {
  const [actors, subjects] = await Promise.all([idsOf(db, actor), idsOf(db, subject)]);
  const filter = {
    action,
    actors,
    subjects,
    from: from === undefined ? undefined : new Date(from),
    end: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    before: before === undefined ? undefined : Number(before),
  };
  const rows = await newestEntries(db, filter, PAGE + 1);
  return { entries: await withParties(db, rows.slice(0, PAGE)), more: rows.length > PAGE };
}

import { isUnreachable } from '../db-failures.ts';
import { messageOf } from '../errors.ts';

/** A replica may be behind a migration: its tables and columns come with the WAL. */
const NOT_YET_THERE = new Set(['42P01', '42703', '42883', '3D000']);
const CONFLICT = /conflict with recovery/;

export type ReplicaFailure = 'away' | 'conflict' | 'catching up';

/** What of a replica itself failed; undefined for what would fail on the primary too. */
export function replicaFailure(error: unknown): ReplicaFailure | undefined {
  if (CONFLICT.test(messageOf(error))) return 'conflict';
  if (NOT_YET_THERE.has((error as { code?: string } | null)?.code ?? '')) return 'catching up';
  return isUnreachable(error) ? 'away' : undefined;
}

import { sql } from 'kysely';

import type { Db } from './db.ts';
import type { ReportError } from './error-reports.ts';
import { type FailureKind, SourceError } from './http/source-error.ts';

interface SourceStatesTable {
  source: string;
  state: string;
  note: string | null;
  last_success_at: string | null;
  last_failure_at: string | null;
  updated_at: string;
}

declare module './db.ts' {
  interface Tables {
    source_states: SourceStatesTable;
  }
}

export type SourceState = 'ok' | 'stale' | 'rate_limited' | 'down' | 'refused_region' | 'key_missing' | 'waiting';

export type SourceStatus = {
  state: SourceState;
  /** One sentence for people; null while all is well. */
  note: string | null;
  lastSuccessAt: string | null;
  lastFailureAt: string | null;
};

export type SourceRegistry = {
  succeeded: (source: string) => void;
  failed: (source: string, error: SourceError) => void;
  /** It responds, but its content stopped changing. */
  stale: (source: string, note: string) => void;
  status: (source: string) => SourceStatus;
  /** Reads the results of other processes. */
  reload: () => Promise<void>;
  /** Writes the results of this process; true when a state changed since the last write. */
  save: () => Promise<boolean>;
};

const STATE_OF: Partial<Record<FailureKind, SourceState>> = {
  rate_limited: 'rate_limited',
  spent: 'rate_limited',
  refused_region: 'refused_region',
};
const WAITING: SourceStatus = { state: 'waiting', note: null, lastSuccessAt: null, lastFailureAt: null };

const lastCallMs = ({ lastSuccessAt, lastFailureAt }: SourceStatus) =>
  Math.max(...[lastSuccessAt, lastFailureAt].map((at) => (at === null ? 0 : Date.parse(at))));

/** The last result of each external source: shown on the page and in /api/health, stored across restarts. */
export function createSourceRegistry(db: Db, now: () => Date, report: ReportError): SourceRegistry {
  const statuses = new Map<string, SourceStatus>();
  const touched = new Set<string>();
  let changed = false;

  const status = (source: string): SourceStatus => statuses.get(source) ?? WAITING;

  function set(source: string, next: SourceStatus): void {
    const before = status(source);
    if (before.state !== next.state || before.note !== next.note) changed = true;
    statuses.set(source, next);
    touched.add(source);
  }

  return {
    status,
    succeeded(source) {
      set(source, { ...status(source), state: 'ok', note: null, lastSuccessAt: now().toISOString() });
    },
    failed(source, error) {
      if (error.kind === 'resting' || error.kind === 'cancelled') return;
      const state = STATE_OF[error.kind] ?? 'down';
      const isKnown = state === 'refused_region' && status(source).state === state;
      set(source, { ...status(source), state, note: error.message, lastFailureAt: now().toISOString() });
      // It persists while the server stays in its region: one report is enough.
      if (!isKnown) report(source, 'api_failure', error.message, { kind: error.kind });
    },
    stale(source, note) {
      set(source, { ...status(source), state: 'stale', note, lastFailureAt: now().toISOString() });
    },
    async reload() {
      for (const row of await db.selectFrom('source_states').selectAll().execute()) {
        const stored: SourceStatus = {
          state: row.state as SourceState,
          note: row.note,
          lastSuccessAt: row.last_success_at,
          lastFailureAt: row.last_failure_at,
        };
        // A long job saves late, and this read may be older than a save since: the later call counts.
        if (lastCallMs(status(row.source)) >= lastCallMs(stored)) continue;
        touched.delete(row.source);
        statuses.set(row.source, stored);
      }
    },
    async save() {
      // Sorted by key, so that two processes saving at once cannot deadlock.
      const saved = new Map([...touched].toSorted().map((source) => [source, status(source)]));
      const rows = [...saved].map(([source, { state, note, lastSuccessAt, lastFailureAt }]) => ({
        source,
        state,
        note,
        last_success_at: lastSuccessAt,
        last_failure_at: lastFailureAt,
        updated_at: now().toISOString(),
      }));
      const hasChanged = changed;
      changed = false;
      if (rows.length > 0) {
        await db
          .insertInto('source_states')
          .values(rows)
          .onConflict((oc) =>
            oc
              .column('source')
              .doUpdateSet((eb) => ({
                state: eb.ref('excluded.state'),
                note: eb.ref('excluded.note'),
                last_success_at: eb.ref('excluded.last_success_at'),
                last_failure_at: eb.ref('excluded.last_failure_at'),
                updated_at: eb.ref('excluded.updated_at'),
              }))
              .where(sql<boolean>`greatest(excluded.last_success_at, excluded.last_failure_at)
              >= coalesce(greatest(source_states.last_success_at, source_states.last_failure_at), '-infinity')`),
          )
          .execute()
          .catch((error: unknown) => {
            changed ||= hasChanged;
            throw error;
          });
      }
      // Results received since then are left for the next save.
      for (const [source, written] of saved) if (status(source) === written) touched.delete(source);
      return hasChanged;
    },
  };
}

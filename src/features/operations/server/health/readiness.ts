import { sql } from 'kysely';
import type { Health } from '#features/operations/contract/health.ts';
import { wait } from '#kernel/clock.ts';
import type { Db } from '#kernel/db.ts';
import type { Phase } from '#kernel/lifecycle.ts';

const CHECK_TIMEOUT_MS = 2_000;
const CACHE_MS = 1_000;

const AGAINST: Record<Phase, string | null> = {
  starting: 'The process is starting.',
  serving: null,
  stopping: 'The process is stopping.',
};
const AWAY = 'The database is not responding.';

export type Readiness = {
  role: Health['role'];
  /** Why requests should go elsewhere, as sentences; empty when the process is ready. */
  reasons: (withoutDatabase: boolean) => Promise<string[]>;
};

type Deps = { db: Db; role: Health['role']; phase: () => Phase };

/** However often it is called, at most one database check is in progress, and its result is valid for a second. */
export function createReadiness({ db, role, phase }: Deps): Readiness {
  let looking: Promise<void> | null = null;
  let known = { isThere: false, until: Number.NEGATIVE_INFINITY };

  async function look(): Promise<void> {
    const isThere = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    known = { isThere, until: performance.now() + CACHE_MS };
    looking = null;
  }

  async function isDatabaseReachable(): Promise<boolean> {
    if (performance.now() < known.until) return known.isThere;
    looking ??= look();
    const over = new AbortController();
    const answered = looking.then(() => known.isThere);
    try {
      return await Promise.race([answered, wait(CHECK_TIMEOUT_MS, over.signal).then(() => false)]);
    } finally {
      over.abort();
    }
  }

  return {
    role,
    async reasons(withoutDatabase) {
      const away = withoutDatabase || (await isDatabaseReachable()) ? null : AWAY;
      return [AGAINST[phase()], away].filter((reason) => reason !== null);
    },
  };
}

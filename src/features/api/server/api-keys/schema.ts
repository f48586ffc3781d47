import type { Generated } from 'kysely';

import type { ApiScope } from '#shared/contract.ts';

type ApiKeysTable = {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the whole key. */
  hash: Buffer;
  /** The key from before a regeneration, while it still works. */
  old_hash: Buffer | null;
  old_until: string | null;
  hint: string;
  scopes: ApiScope[];
  created_at: string;
  last_used: string | null;
  usage_count: Generated<number>;
  ended_at: string | null;
};

type ApiDaysTable = {
  user_id: number;
  day: string;
  spent: Generated<number>;
  /** Held by processes, neither spent nor returned. */
  leased: Generated<number>;
  refused: Generated<number>;
  /** The last percentage of the limit reported: 0, 80 or 100. */
  told: Generated<number>;
};

declare module '#kernel/db.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
    api_days: ApiDaysTable;
  }
}

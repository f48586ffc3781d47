import type { Generated } from 'kysely';

type EntitlementsTable = {
  id: Generated<number>;
  user_id: number;
  /** Origin of the fact, such as 'admin'. The newest fact of a source replaces its older ones. */
  source: string;
  plan: 'free' | 'pro' | 'premium';
  starts_at: string;
  ends_at: string | null;
  created_at: string;
  created_by: number | null;
  note: Generated<string>;
};

declare module '#kernel/db.ts' {
  interface Tables {
    entitlements: EntitlementsTable;
  }
}

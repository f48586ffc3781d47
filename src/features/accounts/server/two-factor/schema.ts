import type { Generated } from 'kysely';

export type TwoFactorTable = {
  user_id: number;
  sealed_secret: string;
  /** Null until a code of the secret was entered. */
  enabled_at: string | null;
  /** The newest step whose code was accepted; it and earlier ones are spent. */
  last_step: number;
  /** Wrong authenticator codes since the last correct one. */
  wrong_codes: Generated<number>;
  wait_until: Generated<string | null>;
};

type BackupCodesTable = { user_id: number; code_hash: Buffer; used_at: string | null };

declare module '#kernel/db.ts' {
  interface Tables {
    two_factor: TwoFactorTable;
    backup_codes: BackupCodesTable;
  }
}

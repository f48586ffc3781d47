export type TwoFactorTable = {
  user_id: number;
  sealed_secret: string;
  /** Null while no code of the secret was shown. */
  enabled_at: string | null;
  /** The newest step whose code was accepted; it and those before it are spent. */
  last_step: number;
};

type BackupCodesTable = { user_id: number; code_hash: Buffer; used_at: string | null };

declare module '#server/platform/db.ts' {
  interface Tables {
    two_factor: TwoFactorTable;
    backup_codes: BackupCodesTable;
  }
}

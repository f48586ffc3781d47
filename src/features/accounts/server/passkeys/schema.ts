import type { Generated } from 'kysely';

type PasskeysTable = {
  id: Generated<number>;
  user_id: number;
  credential_id: string;
  /** COSE. */
  public_key: Buffer;
  /** Uses as the authenticator counts them; most passkeys that are synced stay at 0. */
  counter: number;
  transports: string[];
  name: string;
  created_at: string;
  last_used_at: string | null;
};

declare module '#kernel/db.ts' {
  interface Tables {
    passkeys: PasskeysTable;
  }
}

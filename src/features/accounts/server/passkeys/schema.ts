import type { Generated } from 'kysely';

type PasskeysTable = {
  id: Generated<number>;
  user_id: number;
  credential_id: string;
  /** COSE. */
  public_key: Buffer;
  /** The authenticator's signature counter; most synced passkeys report 0. */
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

import type { Generated } from 'kysely';

type UsersTable = {
  id: Generated<number>;
  email: string;
  password_hash: string;
  /** Whether it is easy to guess; null until the password is next entered. */
  password_weak: Generated<boolean | null>;
  role: Generated<'user' | 'admin'>;
  email_verified_at: string | null;
  pending_email: Generated<string | null>;
  notify_email: Generated<boolean>;
  notify_push: Generated<boolean>;
  notify_telegram: Generated<boolean>;
  telegram_announcements: Generated<boolean>;
  created_at: string;
  /** Sign-in and deliveries have been blocked since. */
  disabled_at: Generated<string | null>;
  disabled_by: Generated<number | null>;
  disabled_reason: Generated<string | null>;
};

type SessionsTable = {
  id: Generated<number>;
  token_hash: Buffer;
  user_id: number;
  created_at: string;
  seen_at: string;
  expires_at: string;
  /** When the user last confirmed their identity in this session. */
  proved_at: string;
  device: string;
  network: string;
};

export type Purpose =
  | 'confirm'
  | 'reset'
  | 'change_email'
  | 'end_access'
  | 'stream'
  | 'two_factor'
  | 'passkey_registration'
  | 'passkey_login';

type OneTimeTokensTable = {
  token_hash: Buffer;
  user_id: number | null;
  session_id: number | null;
  purpose: Purpose;
  data: string | null;
  created_at: string;
  expires_at: string;
  used_at: Generated<string | null>;
};

type AttemptsTable = { key: Buffer; hits: number; resets_at: string };
type KnownDevicesTable = { user_id: number; device: string; network: string; seen_at: string };

declare module '#kernel/db.ts' {
  interface Tables {
    users: UsersTable;
    sessions: SessionsTable;
    one_time_tokens: OneTimeTokensTable;
    attempts: AttemptsTable;
    known_devices: KnownDevicesTable;
  }
}

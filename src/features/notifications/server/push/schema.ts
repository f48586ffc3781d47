import type { Generated } from 'kysely';

type PushKeysTable = {
  one: Generated<boolean>;
  /** 65 bytes, base64url. */
  public_key: string;
  sealed_private_key: string;
  created_at: string;
};

type PushBrowsersTable = {
  id: Generated<number>;
  user_id: number;
  /** Null for callers without a browser session. */
  session_id: number | null;
  endpoint: string;
  /** Public key of the browser, 65 bytes in base64url. */
  p256dh: string;
  /** Secret shared with the browser, 16 bytes in base64url. */
  auth: string;
  /** Device name, such as 'Chrome on Windows'. */
  device: string;
  created_at: string;
};

declare module '#kernel/db.ts' {
  interface Tables {
    push_keys: PushKeysTable;
    push_browsers: PushBrowsersTable;
  }
}

import type { SealedColumns } from './platform/secrets-rotation/store.ts';

/** Every place in the database that holds what `secrets.seal` made. */
export const SEALED_COLUMNS: readonly SealedColumns[] = [
  { table: 'mail_outbox', key: 'id', columns: ['body'] },
  { table: 'two_factor', key: 'user_id', columns: ['sealed_secret'] },
  { table: 'webhooks', key: 'id', columns: ['url', 'secret', 'old_secret'] },
  { table: 'push_keys', key: 'one', columns: ['sealed_private_key'] },
  { table: 'telegram_codes', key: 'user_id', columns: ['sealed_code'] },
  { table: 'installation', key: 'only_row', columns: ['lasting_key'] },
];

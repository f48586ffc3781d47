import { sql } from 'kysely';

import type { RemainingAccess } from '#features/accounts/contract/auth.ts';
import type { Db } from '#kernel/db.ts';

/** What uses the account without a session. The tables belong to features that build on this one. */
export async function accessOf(db: Db, userId: number): Promise<RemainingAccess[]> {
  const { rows } = await sql<RemainingAccess>`
    select kind, name from (
      select 1 as place, id, 'api_key' as kind, name || ' (' || hint || ')' as name from api_keys
      where user_id = ${userId} and ended_at is null
      union all
      select 2, id, 'webhook', name || ' (' || host || ')' from webhooks where user_id = ${userId}
      union all
      select 3, 0, 'telegram', 'Connected chat' from telegram_chats where user_id = ${userId}
      union all
      select 4, id, 'passkey', name from passkeys where user_id = ${userId}
    ) as access order by place, id`.execute(db);
  return rows;
}

/** Codes that would connect a chat. */
export async function dropChatCodes(tx: Db, userId: number): Promise<void> {
  await sql`delete from telegram_codes where user_id = ${userId}`.execute(tx);
}

export async function endAccess(tx: Db, userId: number, at: Date): Promise<void> {
  await sql`update api_keys set ended_at = ${at.toISOString()}, old_hash = null, old_until = null
    where user_id = ${userId} and ended_at is null`.execute(tx);
  await sql`delete from webhooks where user_id = ${userId}`.execute(tx);
  await sql`delete from telegram_chats where user_id = ${userId}`.execute(tx);
  await sql`delete from passkeys where user_id = ${userId}`.execute(tx);
  await dropChatCodes(tx, userId);
}

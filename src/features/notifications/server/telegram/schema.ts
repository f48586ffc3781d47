import type { Generated } from 'kysely';

import type { Audience, CommandName, CommandOutcome } from '#features/notifications/contract/telegram.ts';

type TelegramBotsTable = {
  bot_id: number;
  username: string;
  next_update_id: number | null;
  updated_at: string;
  worker: string | null;
  worker_since: string | null;
  read_at: string | null;
  heard_at: string | null;
  webhook_at: string | null;
  error: string | null;
  error_at: string | null;
};

type TelegramCommandsTable = {
  id: Generated<number>;
  bot_id: number;
  update_id: number;
  command: CommandName;
  outcome: CommandOutcome;
  at: string;
};

type TelegramBroadcastsTable = {
  id: Generated<number>;
  key: string;
  text: string;
  audience: Audience;
  people: number;
  created_at: string;
  created_by: number | null;
  cancelled_at: string | null;
  finished_at: string | null;
  sent: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  cancelled: Generated<number>;
};

type TelegramChatsTable = {
  user_id: number;
  bot_id: number;
  chat_id: number;
  linked_at: string;
  /** The update that linked it. */
  linked_by: number;
  blocked_at: string | null;
  /** When the next message may be sent to this chat. */
  free_at: string;
};

type TelegramCodesTable = { code_hash: Buffer; user_id: number; sealed_code: string; expires_at: string };

type TelegramAttemptsTable = { key: string; hits: number; resets_at: string; last_update_id: number | null };

declare module '#kernel/db.ts' {
  interface Tables {
    telegram_bots: TelegramBotsTable;
    telegram_commands: TelegramCommandsTable;
    telegram_broadcasts: TelegramBroadcastsTable;
    telegram_chats: TelegramChatsTable;
    telegram_codes: TelegramCodesTable;
    telegram_attempts: TelegramAttemptsTable;
  }
}

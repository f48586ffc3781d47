type TelegramBotsTable = {
  bot_id: number;
  username: string;
  next_update_id: number | null;
  updated_at: string;
};

type TelegramChatsTable = {
  user_id: number;
  bot_id: number;
  chat_id: number;
  linked_at: string;
  /** The update that linked it. */
  linked_by: number;
  blocked_at: string | null;
  /** When the next message may go to this chat. */
  free_at: string;
};

type TelegramCodesTable = { code_hash: Buffer; user_id: number; sealed_code: string; expires_at: string };

type TelegramAttemptsTable = { key: string; hits: number; resets_at: string; last_update_id: number | null };

declare module '#server/platform/db.ts' {
  interface Tables {
    telegram_bots: TelegramBotsTable;
    telegram_chats: TelegramChatsTable;
    telegram_codes: TelegramCodesTable;
    telegram_attempts: TelegramAttemptsTable;
  }
}

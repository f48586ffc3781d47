import type { BotState, Broadcast, ConnectedChat, TelegramStatus } from '#features/notifications/contract/telegram.ts';
import { type Answer, answer, byMethod } from '#ui/testing/answers.ts';

export const NOON = Date.parse('2026-11-20T12:00:00Z');
export const ago = (seconds: number) => new Date(NOON - seconds * 1000).toISOString();
export const BOT: BotState = {
  mode: 'polling',
  missing: null,
  username: 'MeridianBot',
  link: 'https://t.me/MeridianBot',
  simulated: false,
  worker: { name: 'alpha, process 42', since: ago(7200), isHeld: true },
  readAt: ago(20),
  heardAt: ago(300),
  error: null,
  webhook: null,
};
export const lastHour = {
  sent: 1234,
  commands: { start: 2, verify: 3, status: 0, help: 0, stop: 0, other: 0 },
  connected: 4,
  blocked: 1,
};
export const WEBHOOK: BotState = {
  ...BOT,
  mode: 'webhook',
  readAt: null,
  webhook: { address: 'https://m.example/api/telegram/webhook', registeredAt: ago(3600) },
};
export const INFO = { address: WEBHOOK.webhook?.address ?? null, isOurs: true, pending: 0, lastError: null };
export const AUDIENCE = {
  people: { all: 12, free: 0, pro: 9, premium: 2 },
  left: { blocked: 3, switchedOff: 0, declined: 1 },
};
export const ANN: ConnectedChat = {
  userId: 7,
  email: 'ann@example.com',
  chat: '…0123',
  linkedAt: ago(86_400),
  lastSentAt: ago(120),
  blockedAt: null,
  isOn: true,
  announcements: false,
};
export const SENT: Broadcast = {
  id: 3,
  text: '*Hello* <b>all</b>\nMore below.',
  audience: 'all',
  people: 12,
  createdAt: ago(600),
  createdBy: 'admin@example.com',
  state: 'sent',
  finishedAt: ago(590),
  sent: 10,
  failed: 1,
  skipped: 1,
  cancelled: 0,
  waiting: 0,
  held: 0,
};
export const RUNNING: Broadcast = {
  ...SENT,
  id: 4,
  state: 'running',
  finishedAt: null,
  sent: 3,
  failed: 0,
  skipped: 0,
  waiting: 9,
  held: 2,
};
export const STATUS: TelegramStatus = {
  verified: true,
  chatId: 5_550_123,
  hasValidCode: false,
  code: null,
  expiresAt: null,
  deepLink: null,
  blocked: false,
  hasBot: true,
  botUsername: 'MeridianBot',
  simulated: false,
  canConnect: true,
};
export const COMMANDS = [{ id: 1, at: ago(60), command: 'verify', outcome: 'wrong_code' }] as const;

export const bot = (change: Partial<BotState>) => answer({ bot: { ...BOT, ...change }, lastHour });
export const history = (...broadcasts: Broadcast[]) => answer({ broadcasts, more: false });
export const PATH = '/api/admin/telegram';
/** Responses for every request of the tab. */
export const FULL: Record<string, Answer> = {
  '/api/telegram/status': answer({ status: STATUS }),
  [PATH]: bot({}),
  [`${PATH}/webhook`]: byMethod({ GET: answer(INFO), POST: answer({ registeredAt: ago(0) }) }),
  [`${PATH}/audience`]: answer(AUDIENCE),
  [`${PATH}/broadcasts`]: byMethod({ GET: history(SENT), POST: answer(RUNNING) }),
  [`${PATH}/chats`]: answer({ chats: [ANN], total: 1, next: null }),
  [`${PATH}/commands`]: answer({ commands: COMMANDS }),
};

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  disconnectTelegram,
  generateTelegramCode,
  getTelegramStatus,
} from '#features/notifications/contract/telegram.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import { generateCode, readStatus } from './connection.ts';
import type { Telegram } from './service.ts';

const update = z.looseObject({ update_id: z.int() });

export function telegramRoutes(app: FastifyInstance, telegram: Telegram): void {
  const { ctx } = telegram;
  route(app, getTelegramStatus, async ({ caller }) => ({ status: await readStatus(ctx, caller) }));
  route(app, generateTelegramCode, ({ caller }) => generateCode(ctx, caller));
  route(app, disconnectTelegram, async ({ caller }) => {
    await telegram.disconnect(caller);
    return { success: true as const };
  });
  if (telegram.webhookSecret === null) return;
  // Called by Telegram, so the shape is theirs. Any response but a success makes Telegram retry.
  app.post('/api/telegram/webhook', async ({ headers, body }, reply) => {
    if (!telegram.isWebhookSecret(String(headers['x-telegram-bot-api-secret-token'] ?? '')))
      throw new AppError('unauthenticated', 'The webhook secret is missing or wrong');
    const parsed = update.safeParse(body);
    if (!parsed.success) throw new AppError('bad_request', 'Not a valid Bot API update');
    await telegram.handle(parsed.data);
    return reply.send({ ok: true });
  });
}

import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';

import { type AuthContext, toOrigin } from '#features/accounts/server/auth/service.ts';
import {
  getChallenge,
  getMessage,
  getScreenshot,
  listMessages,
  MAX_LENGTH,
  SCREENSHOT_BYTES,
  sendMessage,
  setMessageStatus,
} from '#features/contact/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { accessGuard, downloadBuffered, parseInput, route } from '#kernel/route.ts';
import { readForm } from './form.ts';
import { createChallenge, receive, setStatus } from './service.ts';
import { countMessages, findMessage, findScreenshot, newestMessages } from './store.ts';

const PAGE = 50;
const unknown = () => new AppError('not_found', 'Message not found');

export function contactRoutes(app: FastifyInstance, ctx: AuthContext): void {
  const { db } = ctx;
  route(app, getChallenge, () => createChallenge(ctx));
  // Only this scope parses forms.
  app.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: SCREENSHOT_BYTES + 1, files: 1, fields: 10, parts: 11, fieldSize: 4 * MAX_LENGTH.message },
    });
    scope.route({
      ...accessGuard(sendMessage),
      method: sendMessage.method,
      url: sendMessage.path,
      handler: async (request) => {
        const { caller, from } = parseInput(sendMessage, request);
        await receive(ctx, await readForm(request), caller, toOrigin(from));
        return { success: true };
      },
    });
  });
  route(app, listMessages, async ({ query: { status, before } }) => {
    const messages = await newestMessages(db, { status, before, count: PAGE + 1 });
    return { messages: messages.slice(0, PAGE), counts: await countMessages(db), more: messages.length > PAGE };
  });
  route(app, getMessage, async ({ params }) => {
    const message = await findMessage(db, params.id);
    if (!message) throw unknown();
    return message;
  });
  route(app, setMessageStatus, async ({ caller, params, body }) => {
    await setStatus(ctx, caller, params.id, body.status);
    return { success: true as const };
  });
  downloadBuffered(app, getScreenshot, async ({ params }) => {
    const screenshot = await findScreenshot(db, params.id);
    if (!screenshot) throw unknown();
    const { type, bytes } = screenshot;
    return { type, fileName: `message-${params.id}.${type.slice('image/'.length)}`, bytes };
  });
}

import { type AuthContext, getUser, limitNetwork, mayMail, type Origin } from '#features/auth/server/service.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { isPlainAddress } from '#server/platform/mail/message.ts';
import type { Caller } from '#server/platform/route.ts';

import { letterProblem, type MessageStatus, NO_IMAGE, TOO_LARGE, WRONG_ANSWER } from '../contract.ts';
import { isAnswered, useUp } from './captcha.ts';
import type { Form } from './form.ts';
import { acknowledgementMail, supportMail } from './mails.ts';
import { imageTypeOf } from './screenshot.ts';
import { addMessage, changeStatus, type Screenshot } from './store.ts';

/** A field that nobody sees: what fills it is no person. */
export const HONEYPOT = 'website';

function screenshotOf({ screenshot }: Form): Screenshot | null {
  if (!screenshot) return null;
  if (screenshot.isTooLarge) throw new AppError('payload_too_large', TOO_LARGE);
  const type = imageTypeOf(screenshot.bytes);
  if (!type) throw new AppError('bad_request', NO_IMAGE);
  return { type, bytes: screenshot.bytes };
}

/** Keeps a message and posts it to support, and that it has come to whoever wrote it. */
export async function receive(ctx: AuthContext, form: Form, caller: Caller | null, { network }: Origin): Promise<void> {
  const field = (name: string) => (form.fields.get(name) ?? '').replaceAll('\0', '').toWellFormed();
  const line = (name: string) => field(name).replaceAll(/\s+/g, ' ').trim();
  // Forms send every line with a carriage return.
  const message = field('message').replaceAll('\r\n', '\n').trim();
  const written = { name: line('name'), email: line('email'), subject: line('subject'), message };
  const problem = letterProblem(written);
  if (problem) throw new AppError('bad_request', problem.words);
  await limitNetwork(ctx, 'captcha', network);
  const challenge = field('challenge');
  if (!(await isAnswered(ctx, challenge, field('captchaAnswer').trim())))
    throw new AppError('bad_request', WRONG_ANSWER);
  const screenshot = screenshotOf(form);
  await limitNetwork(ctx, 'contact', network);
  if (!(await useUp(ctx, challenge))) throw new AppError('bad_request', WRONG_ANSWER);
  const isSpam = field(HONEYPOT) !== '';
  const account = caller ? (await getUser(ctx.db, caller.userId)).email : null;
  const mails = isSpam
    ? []
    : [
        await supportMail(written, {
          account,
          hasScreenshot: screenshot !== null,
          link: `${ctx.publicUrl()}/app/admin?tab=messages`,
        }),
        ...(isPlainAddress(written.email) && (await mayMail(ctx, 'contact', written.email))
          ? [await acknowledgementMail(written.email)]
          : []),
      ];
  await ctx.db.transaction().execute(async (tx) => {
    const status = isSpam ? 'spam' : 'new';
    await addMessage(tx, { ...written, userId: caller?.userId ?? null, screenshot, status }, ctx.now());
    for (const mail of mails) await ctx.mail.post(tx, mail);
  });
}

export async function setStatus(ctx: AuthContext, caller: Caller, id: number, status: MessageStatus): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if ((await changeStatus(tx, id, status, ctx.now())) === undefined)
      throw new AppError('not_found', 'There is no such message');
    await audit(tx, {
      at: ctx.now(),
      actorId: caller.userId,
      subjectId: null,
      action: 'contact.status',
      details: { message: id, status },
    });
  });
}

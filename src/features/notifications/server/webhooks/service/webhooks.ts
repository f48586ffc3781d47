import type { z } from 'zod/mini';

import { notifyAccessAdded, type Origin, requireProof } from '#features/accounts/server/auth/service.ts';
import {
  type addWebhook,
  type changeWebhook,
  MAX_WEBHOOKS,
  type Webhook,
} from '#features/notifications/contract/webhooks.ts';
import { audit } from '#kernel/audit.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import type { WebhooksContext } from '../context.ts';
import { checkUrl, hostName } from '../sending/check-url.ts';
import { newSecret } from '../sending/message.ts';
import * as store from '../store.ts';
import { openRow } from './call.ts';

const OLD_SECRET_MS = 86_400_000;

const notFound = () => new AppError('not_found', 'This webhook has already been removed');

export const shown = (row: store.WebhookRow, now: Date): Webhook => ({
  id: row.id,
  name: row.name,
  host: row.host,
  format: row.format,
  enabled: row.enabled,
  createdAt: row.created_at,
  lastAt: row.last_at,
  lastState: row.last_state,
  lastNote: row.last_note,
  failures: row.failures,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  oldSecretUntil:
    row.old_secret_until !== null && Date.parse(row.old_secret_until) > now.getTime() ? row.old_secret_until : null,
});

export async function getRow(ctx: WebhooksContext, { userId }: Caller, id: number): Promise<store.WebhookRow> {
  const row = await store.findRow(ctx.db, userId, id);
  if (!row) throw notFound();
  return row;
}

export async function list(ctx: WebhooksContext, { userId }: Caller): Promise<Webhook[]> {
  const rows = await store.listRows(ctx.db, userId);
  return rows.map((row) => shown(row, ctx.now()));
}

export async function add(
  ctx: WebhooksContext,
  caller: Caller,
  { name, url: text, format }: z.output<typeof addWebhook.body>,
  { network }: Origin,
): Promise<{ webhook: Webhook; secret: string | null }> {
  const { userId } = caller;
  await requireProof(ctx, caller);
  const url = checkUrl(text, format, ctx.config.WEBHOOK_ALLOW_LOOPBACK);
  const secret = newSecret();
  const at = ctx.now();
  const row = await ctx.db.transaction().execute(async (tx) => {
    if ((await store.countForUpdate(tx, userId)) >= MAX_WEBHOOKS)
      throw new AppError('conflict', `Limit reached: ${MAX_WEBHOOKS} webhooks per account. Remove one to add another.`);
    const sealed = { url: ctx.secrets.seal(url.href), secret: ctx.secrets.seal(secret) };
    const added = await store.insertRow(tx, { userId, name, host: hostName(url), format, at, ...sealed });
    const details = { webhook: added.id };
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'webhook.add', details, network });
    await notifyAccessAdded(ctx, tx, userId, { what: 'webhook', name: `${name}, ${added.host}`, network });
    return added;
  });
  return { webhook: shown(row, at), secret: format === 'generic' ? secret : null };
}

export async function change(
  ctx: WebhooksContext,
  caller: Caller,
  id: number,
  { name, url: text, format, enabled }: z.output<typeof changeWebhook.body>,
  { network }: Origin,
): Promise<Webhook> {
  if (text !== undefined) await requireProof(ctx, caller);
  const before = await getRow(ctx, caller, id);
  const known = text ?? openRow(ctx, before)?.url.href;
  if (known === undefined) throw new AppError('bad_request', 'The URL can no longer be decrypted. Enter it again.');
  const url = checkUrl(known, format, ctx.config.WEBHOOK_ALLOW_LOOPBACK);
  const isFresh = text !== undefined || (enabled && !before.enabled);
  const { userId } = caller;
  const at = ctx.now();
  const row = await ctx.db.transaction().execute(async (tx) => {
    const changed = await store.updateRow(tx, userId, id, {
      name,
      format,
      enabled,
      ...(text === undefined ? {} : { url: ctx.secrets.seal(url.href), host: hostName(url) }),
      ...(enabled ? { disabled_at: null, disabled_reason: null } : {}),
      ...(isFresh ? { failures: 0, failing_since: null } : {}),
    });
    if (!changed) throw notFound();
    if (text === undefined) return changed;
    const details = { webhook: id };
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'webhook.address', details, network });
    await notifyAccessAdded(ctx, tx, userId, { what: 'webhook-address', name: `${name}, ${changed.host}`, network });
    return changed;
  });
  return shown(row, at);
}

export async function renew(
  ctx: WebhooksContext,
  caller: Caller,
  id: number,
  { network }: Origin,
): Promise<{ secret: string; oldSecretUntil: string }> {
  const { userId } = caller;
  await requireProof(ctx, caller);
  const before = await getRow(ctx, caller, id);
  const secret = newSecret();
  const at = ctx.now();
  const oldSecretUntil = new Date(at.getTime() + OLD_SECRET_MS).toISOString();
  await ctx.db.transaction().execute(async (tx) => {
    const row = await store.updateRow(tx, userId, id, {
      secret: ctx.secrets.seal(secret),
      old_secret: before.secret,
      old_secret_until: oldSecretUntil,
    });
    if (!row) throw notFound();
    const details = { webhook: id };
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'webhook.secret', details, network });
    await notifyAccessAdded(ctx, tx, userId, { what: 'webhook-secret', name: `${row.name}, ${row.host}`, network });
  });
  return { secret, oldSecretUntil };
}

export async function remove(ctx: WebhooksContext, { userId }: Caller, id: number, { network }: Origin): Promise<void> {
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await store.deleteRow(tx, userId, id))) throw notFound();
    const details = { webhook: id };
    await audit(tx, { at, actorId: userId, subjectId: userId, action: 'webhook.remove', details, network });
  });
}

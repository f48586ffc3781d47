import type { z } from 'zod/mini';
import {
  hashToken,
  limitUser,
  notifyAccessAdded,
  notifyAccountChange,
  type Origin,
  requireProof,
} from '#features/accounts/server/auth/service.ts';
import { apiCallsPerDay } from '#features/accounts/server/subscriptions/service.ts';
import type { ApiKey, ApiUsage, createKey, regenerateKey } from '#features/api/contract/api-keys.ts';
import { MAX_KEYS } from '#features/api/contract/api-keys.ts';
import { audit } from '#kernel/audit.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import type { Caller } from '#kernel/route.ts';
import { API_SCOPES, type ApiScope } from '#shared/contract.ts';

import { DAY_MS, isoDay } from '../account-day.ts';
import { keyHint, newKey } from '../key-callers.ts';
import type { ApiKeys } from '../service.ts';
import { daysSince } from '../store/days.ts';
import * as store from '../store/keys.ts';

const HOUR_MS = 3_600_000;
const SHOWN_DAYS = 30;
const NEW_KEYS = { most: 60, seconds: 3600 };
const READING: readonly ApiScope[] = API_SCOPES.filter((scope) => !scope.endsWith(':write'));

const notFound = () => new AppError('not_found', 'API key not found');

const shown = (row: store.KeyRow, now: Date): ApiKey => ({
  id: row.id,
  name: row.name,
  api_key: row.hint,
  scopes: API_SCOPES.filter((scope) => row.scopes.includes(scope)),
  created_at: row.created_at,
  last_used: row.last_used,
  usage_count: row.usage_count,
  old_key_until: row.old_until !== null && Date.parse(row.old_until) > now.getTime() ? row.old_until : null,
});

export async function list({ ctx, settle }: ApiKeys, { userId }: Pick<Caller, 'userId'>): Promise<ApiKey[]> {
  await settle();
  const rows = await store.activeKeys(ctx.db, userId);
  return rows.map((row) => shown(row, ctx.now()));
}

/** A user's keys as administrators see them, without the key itself. */
export async function listForAdmin(keys: ApiKeys, userId: number) {
  return (await list(keys, { userId })).map(({ id, name, scopes, created_at, last_used }) => ({
    id,
    name,
    scopes,
    createdAt: created_at,
    lastUsed: last_used,
  }));
}

type Act = { at: Date; userId: number; keyId: number; action: 'add' | 'renew' | 'remove'; network: string | null };

/**
 * In the caller's transaction: audited, and a key that ends is announced at commit, so that every process drops the
 * account's keys.
 */
async function note(tx: Db, { at, userId, keyId, action, network }: Act): Promise<void> {
  const details = { key: keyId };
  await audit(tx, { at, actorId: userId, subjectId: userId, action: `api-key.${action}`, details, network });
  if (action !== 'add') await notifyAccountChange(tx, { user: userId, ended: [] });
}

export async function create(
  { ctx }: ApiKeys,
  caller: Caller,
  { name, scopes = [...READING] }: z.output<typeof createKey.body>,
  { network }: Origin,
): Promise<ApiKey> {
  const { userId } = caller;
  await requireProof(ctx, caller);
  await limitUser(ctx, 'api-key', userId, NEW_KEYS);
  const key = newKey();
  const at = ctx.now();
  const row = await ctx.db.transaction().execute(async (tx) => {
    if ((await store.countToAdd(tx, userId)) >= MAX_KEYS)
      throw new AppError(
        'conflict',
        `Limit of ${MAX_KEYS} API keys per account reached. Deactivate one to create another.`,
      );
    const given = { userId, name, hash: hashToken(key), hint: keyHint(key), scopes: [...new Set(scopes)], at };
    const added = await store.insertKey(tx, given);
    await note(tx, { at, userId, keyId: added.id, action: 'add', network });
    await notifyAccessAdded(ctx, tx, userId, { what: 'key', name: added.name, network });
    return added;
  });
  return { ...shown(row, at), api_key: key };
}

export async function regenerate(
  { ctx, settle, keys }: ApiKeys,
  caller: Caller,
  id: number,
  { overlapHours }: z.output<typeof regenerateKey.body>,
  { network }: Origin,
): Promise<ApiKey> {
  const { userId } = caller;
  await requireProof(ctx, caller);
  await limitUser(ctx, 'api-key', userId, NEW_KEYS);
  await settle();
  const key = newKey();
  const at = ctx.now();
  const oldUntil = overlapHours === 0 ? null : new Date(at.getTime() + overlapHours * HOUR_MS);
  const row = await ctx.db.transaction().execute(async (tx) => {
    const renewed = await store.renewKey(tx, { userId, id, hash: hashToken(key), hint: keyHint(key), oldUntil });
    if (!renewed) throw notFound();
    await note(tx, { at, userId, keyId: id, action: 'renew', network });
    await notifyAccessAdded(ctx, tx, userId, { what: 'key-renewed', name: renewed.name, network });
    return renewed;
  });
  keys.forget(userId);
  return { ...shown(row, at), api_key: key };
}

export async function deactivate(
  { ctx, keys }: ApiKeys,
  { userId }: Caller,
  id: number,
  { network }: Origin,
): Promise<void> {
  const at = ctx.now();
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await store.endKey(tx, userId, id, at))) throw notFound();
    await note(tx, { at, userId, keyId: id, action: 'remove', network });
  });
  keys.forget(userId);
}

export async function readUsage({ ctx, settle }: ApiKeys, { userId, plan }: Caller): Promise<ApiUsage> {
  await settle();
  const today = Math.floor(ctx.now().getTime() / DAY_MS);
  const first = today - SHOWN_DAYS + 1;
  const rows = await daysSince(ctx.db, userId, isoDay(first));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days = Array.from({ length: SHOWN_DAYS }, (_, i) => {
    const day = isoDay(first + i);
    const row = byDay.get(day);
    return { day, calls: row?.spent ?? 0, refused: row?.refused ?? 0 };
  });
  return {
    limit: apiCallsPerDay(ctx.config, plan),
    burst: ctx.config.API_BURST_PER_SECOND || null,
    used: days.at(-1)?.calls ?? 0,
    resetsAt: new Date((today + 1) * DAY_MS).toISOString(),
    days,
  };
}

import type { z } from 'zod/mini';

import {
  checkPreferences,
  findPreferences,
  type Notifications,
  putPreferences,
} from '#features/notifications/server/service.ts';
import type { ImportReply, importSettings } from '#features/settings-files/contract.ts';
import { PLAN_LIMITS } from '#features/subscriptions/contract.ts';
import { exportRules, importRules, prepareImport, type Thresholds } from '#features/thresholds/server/service.ts';
import { canonicalJson } from '#server/platform/canonical-json.ts';
import type { Db } from '#server/platform/db.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Caller, WholeFile } from '#server/platform/route.ts';
import { BRAND } from '#shared/brand.ts';
import { changesOf } from './changes.ts';
import { notificationsIn, openFile, rulesIn, type SettingsFile, VERSION } from './file.ts';

export type SettingsFilesContext = { thresholds: Thresholds; notifications: Notifications; now: () => Date };
type Asked = z.output<typeof importSettings.body>;

/** Everything a person has set up, as a file that `takeOver` reads. */
export async function makeFile(
  { thresholds, notifications, now }: SettingsFilesContext,
  { userId, plan }: Caller,
): Promise<WholeFile> {
  const { db } = notifications.ctx;
  const createdAt = now().toISOString();
  const file: SettingsFile = {
    version: VERSION,
    product: BRAND.name,
    createdAt,
    rules: PLAN_LIMITS[plan].customAlerts ? await exportRules(thresholds.ctx, userId) : null,
    notifications: await findPreferences(db, userId),
  };
  return {
    type: 'application/json; charset=utf-8',
    fileName: `${BRAND.name.toLowerCase()}-settings-${createdAt.slice(0, 10)}.json`,
    bytes: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
  };
}

/** Carries what would change out of a transaction that must not last. */
class OnlyTried extends Error {
  readonly reply: ImportReply;
  constructor(reply: ImportReply) {
    super('Nothing was to be kept');
    this.reply = reply;
  }
}

/** A try goes the whole way and is taken back: it refuses what the import would refuse. */
export async function takeOver(ctx: SettingsFilesContext, caller: Caller, asked: Asked): Promise<ImportReply> {
  const file = openFile(asked.file);
  const mode = asked.rules;
  if (mode !== 'skip' && !PLAN_LIMITS[caller.plan].customAlerts)
    throw new AppError('upgrade_required', 'Custom alerts are part of Pro. Notification settings can be taken over.');
  const { thresholds, notifications } = ctx;
  const { db } = notifications.ctx;
  const rules = mode === 'skip' ? [] : rulesIn(file);
  if (mode !== 'skip') await prepareImport(thresholds, caller.userId, rules);
  const wanted = asked.notifications ? await checkPreferences(db, notificationsIn(file)) : null;

  async function change(tx: Db): Promise<ImportReply> {
    const counts =
      mode === 'skip' ? { added: 0, removed: 0, kept: 0 } : await importRules(thresholds, tx, caller, rules, mode);
    const before = await findPreferences(tx, caller.userId);
    if (wanted && canonicalJson(wanted) !== canonicalJson(before))
      await putPreferences(notifications.ctx, tx, caller.userId, wanted);
    const changes = wanted ? changesOf(before, wanted) : [];
    const reply = { rules: counts, notifications: changes };
    if (asked.dryRun) throw new OnlyTried({ ...reply, applied: false });
    return { ...reply, applied: true };
  }

  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (error instanceof OnlyTried) return error.reply;
    throw error;
  }
}

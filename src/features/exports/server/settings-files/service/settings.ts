import { z } from 'zod/mini';
import { PLAN_LIMITS } from '#features/accounts/contract/subscriptions.ts';
import {
  MOST_RULES,
  type ParsedThreshold,
  type ThresholdInput,
  thresholdInput,
} from '#features/alerts/contract/thresholds.ts';
import {
  exportRules,
  importRules,
  prepareImport,
  type Thresholds,
} from '#features/alerts/server/thresholds/service.ts';
import type { ImportReply, importSettings } from '#features/exports/contract/settings-files.ts';
import { type Preferences, preferences } from '#features/notifications/contract/notifications.ts';
import {
  checkPreferences,
  findPreferences,
  type Notifications,
  putPreferences,
} from '#features/notifications/server/notifications/service.ts';
import { canonicalJson } from '#kernel/canonical-json.ts';
import type { Db } from '#kernel/db.ts';
import { AppError } from '#kernel/errors.ts';
import { type BufferedFile, type Caller, validationMessage } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import { grouped } from '#shared/format.ts';

/** Other versions are refused: their fields may mean something else. */
const VERSION = 1;

/** Content of an exported file. `rules` is null when the plan has none. */
type SettingsFile = {
  version: number;
  product: string;
  createdAt: string;
  rules: ThresholdInput[] | null;
  notifications: Preferences;
};

/** Ids belong to another list. */
const ruleInFile = z.omit(thresholdInput, { id: true });

const refuse = (sentence: string): never => {
  throw new AppError('bad_request', sentence);
};

function parsed<S extends z.ZodMiniType>(schema: S, value: unknown, about: string): z.output<S> {
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  return refuse(`${about}: ${validationMessage(issue?.message ?? 'Bad request', issue?.path ?? [])}`);
}

/** A file with a valid header; its content is validated when used. */
type Opened = { rules: unknown; notifications: unknown };

function parseFile(file: unknown): Opened {
  const { product, version, rules, notifications } = (typeof file === 'object' && file !== null ? file : {}) as Record<
    string,
    unknown
  >;
  if (product !== BRAND.name || typeof version !== 'number') refuse(`This is not a ${BRAND.name} settings file`);
  if (version !== VERSION)
    refuse(`This file has version ${String(version)}; this ${BRAND.name} server reads version ${VERSION}.`);
  return { rules, notifications };
}

/** Throws with the number of the first invalid rule. */
function rulesIn({ rules }: Opened): ParsedThreshold[] {
  if (rules === null || rules === undefined) return refuse('This file contains no custom alerts');
  if (!Array.isArray(rules)) return refuse('The custom alerts in this file are not a list');
  if (rules.length > MOST_RULES)
    refuse(`A list can have at most ${MOST_RULES} alerts; this file has ${grouped(rules.length)}`);
  return rules.map((rule, i) => parsed(ruleInFile, rule, `Number ${i + 1}`));
}

function notificationsIn({ notifications }: Opened): Preferences {
  if (notifications === null || notifications === undefined)
    return refuse('This file contains no notification settings');
  return parsed(preferences, notifications, 'Notification settings');
}

type Line = readonly [label: string, value: string];

const CATEGORIES = {
  rules: 'Your rules',
  market: 'Market',
  ai: 'AI consensus',
  inflation: 'Inflation',
  product: 'Product news',
} as const;
const IMPACTS = { all: 'all', high: 'high', high_medium: 'high and medium' } as const;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const onOff = (on: boolean): string => (on ? 'on' : 'off');
const listed = (list: readonly (string | number)[]): string => (list.length === 0 ? 'none' : list.join(', '));
const hour = (of: number): string => `${String(of).padStart(2, '0')}:00`;

function digestWords({ every, hour: at, weekday }: Preferences['notificationPreferences']['digest']): string {
  if (every === 'daily') return `daily at ${hour(at)}`;
  return every === 'weekly' ? `${WEEKDAYS[weekday - 1]} at ${hour(at)}` : every;
}

function quietWords({
  enabled,
  from,
  to,
  letHighThrough,
}: Preferences['notificationPreferences']['quietHours']): string {
  return enabled ? `${from} to ${to}, high severity ${letHighThrough ? 'allowed' : 'also held'}` : 'off';
}

/** Every setting with its name and value as text. */
function preferenceLines(given: Preferences): Line[] {
  const { categories, digest, quietHours, timeZone } = given.notificationPreferences;
  const ways = Object.entries(CATEGORIES).map(
    ([id, name]): Line => [`${name} by`, listed(categories[id as keyof typeof CATEGORIES])],
  );
  return [
    ['Email notifications', onOff(given.emailNotifications)],
    ['Push notifications', onOff(given.pushNotifications)],
    ['Telegram notifications', onOff(given.telegramNotifications)],
    ...ways,
    ['Time zone', timeZone],
    ['Quiet hours', quietWords(quietHours)],
    ['Digest', digestWords(digest)],
    ['Event reminders', onOff(given.eventNotifications)],
    ['Days before an event', listed(given.eventNotificationWindows)],
    ['Event reminders via', listed(given.eventNotificationChannels)],
    ['Event impact', IMPACTS[given.eventImpactFilter]],
  ];
}

/** Differences such as 'Email notifications: on → off'. */
function describeChanges(before: Preferences, after: Preferences): string[] {
  const old = new Map(preferenceLines(before));
  return preferenceLines(after)
    .filter(([label, value]) => old.get(label) !== value)
    .map(([label, value]) => `${label}: ${old.get(label)} → ${value}`);
}

export type SettingsFilesContext = { thresholds: Thresholds; notifications: Notifications; now: () => Date };
type Asked = z.output<typeof importSettings.body>;

/** Exports a user's settings as a file that `applyImport` reads. */
export async function createFile(
  { thresholds, notifications, now }: SettingsFilesContext,
  { userId, plan }: Caller,
): Promise<BufferedFile> {
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

/** Carries the result out of a transaction that must be rolled back. */
class DryRunRollback extends Error {
  readonly reply: ImportReply;
  constructor(reply: ImportReply) {
    super('Nothing to import');
    this.reply = reply;
  }
}

/** A dry run executes everything and rolls back, so it refuses whatever the import would refuse. */
export async function applyImport(ctx: SettingsFilesContext, caller: Caller, asked: Asked): Promise<ImportReply> {
  const file = parseFile(asked.file);
  const mode = asked.rules;
  if (mode !== 'skip' && !PLAN_LIMITS[caller.plan].customAlerts)
    throw new AppError('upgrade_required', 'Custom alerts require Pro. You can still import notification settings.');
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
    const changes = wanted ? describeChanges(before, wanted) : [];
    const reply = { rules: counts, notifications: changes };
    if (asked.dryRun) throw new DryRunRollback({ ...reply, applied: false });
    return { ...reply, applied: true };
  }

  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (error instanceof DryRunRollback) return error.reply;
    throw error;
  }
}

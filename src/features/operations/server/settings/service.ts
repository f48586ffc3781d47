import { z } from 'zod';

import { type AuthContext, requireProof } from '#features/accounts/server/auth/service.ts';
import type { Setting } from '#features/operations/contract/settings.ts';
import { audit } from '#kernel/audit.ts';
import { type Config, settings as kinds } from '#kernel/config.ts';
import type { Db } from '#kernel/db.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { AppError } from '#kernel/errors.ts';
import type { Listener } from '#kernel/listener.ts';
import type { Log } from '#kernel/log.ts';
import type { Caller } from '#kernel/route.ts';
import { addChange, lockSetting, newestValues, readChanges, SETTINGS_CHANNEL } from './store.ts';

/** Settings that may change at runtime: none that are secret, external URLs or read only at startup. */
export const KEYS = [
  'SIGN_UPS',
  'EXPORTS_PER_DAY',
  'EXPORT_ROWS_AT_ONCE',
  'EXPORT_DAYS_KEPT',
  'API_CALLS_PER_DAY_PRO',
  'API_CALLS_PER_DAY_PREMIUM',
  'LOG_LEVEL',
  'ERROR_LOG_DAYS',
] as const satisfies (keyof Config)[];
type Key = (typeof KEYS)[number];

const HISTORY = 20;

export type Settings = {
  /** The configuration overlaid with stored settings; always current, so read a value when it is used. */
  config: Config;
  /** The configuration the process was started with. */
  given: Config;
  reload: () => Promise<void>;
};

type Deps = { db: Db; given: Config; listener: Listener; log: Log; report: ReportError };

const isKey = (key: string): key is Key => KEYS.some((each) => each === key);
const parse = (key: Key, text: string) => kinds.shape[key].safeParse(text);

/** Loads the stored settings, and reloads them whenever a process changes one or notifications may have been missed. */
export async function openSettings({ db, given, listener, log, report }: Deps): Promise<Settings> {
  let stored = new Map<Key, unknown>();
  const config = { ...given };
  for (const key of KEYS)
    Object.defineProperty(config, key, { enumerable: true, get: () => stored.get(key) ?? given[key] });

  async function reload(): Promise<void> {
    const values = new Map<Key, unknown>();
    for (const [key, text] of await newestValues(db)) {
      if (!isKey(key) || text === null) continue;
      const { success, data } = parse(key, text);
      if (success) values.set(key, data);
      else report('settings', 'system', `The stored value of ${key} is no longer valid; using the default`);
    }
    stored = values;
    log.level = config.LOG_LEVEL;
  }
  const again = () =>
    void reload().catch((error: unknown) => report('settings', 'system', 'Failed to read settings', error));
  await reload();
  await listener.listen(SETTINGS_CHANNEL, again, again);
  return { config, given, reload };
}

export type SettingsDeps = { auth: AuthContext; settings: Settings };

export async function listAll({ auth, settings: { config, given } }: SettingsDeps): Promise<{ settings: Setting[] }> {
  const changes = await readChanges(auth.db, KEYS, HISTORY);
  const listed = KEYS.map((key): Setting => {
    const kind: z.ZodType = kinds.shape[key];
    const inner = kinds.shape[key].unwrap();
    const history = changes.get(key) ?? [];
    return {
      key,
      about: kind.description ?? '',
      kind: inner instanceof z.ZodEnum ? 'choice' : 'number',
      choices: inner instanceof z.ZodEnum ? inner.options : [],
      default: String(given[key]),
      value: String(config[key]),
      isDefault: (history[0]?.value ?? null) === null,
      history: history.map(({ value, at, by, note }) => ({ value, at, by, note })),
    };
  });
  return { settings: listed };
}

type Wanted = { value: string | null; was: string; note: string };

/** Changes one setting in every process, if its value is still the one the administrator saw. */
export async function change(deps: SettingsDeps, caller: Caller, key: string, wanted: Wanted) {
  const { auth, settings } = deps;
  if (!isKey(key)) throw new AppError('not_found', 'Setting not found');
  await requireProof(auth, caller);
  const text = wanted.value?.trim() ?? null;
  const parsed = text === null ? null : parse(key, text);
  if (text === '' || parsed?.success === false) {
    const issue = text === '' ? 'give a value' : parsed?.error?.issues[0]?.message;
    throw new AppError('bad_request', `${key}: ${issue}`);
  }
  await auth.db.transaction().execute(async (tx) => {
    await lockSetting(tx, key);
    const now = (await newestValues(tx)).get(key) ?? String(settings.given[key]);
    if (now !== wanted.was) throw new AppError('conflict', `${key} was changed in the meantime and is now ${now}`);
    const value = parsed ? String(parsed.data) : null;
    const at = auth.now();
    await addChange(tx, { key, value, by: caller.userId, at, note: wanted.note.trim() });
    const details = { key, from: now, to: value ?? 'default' };
    await audit(tx, { at, actorId: caller.userId, subjectId: null, action: 'setting.change', details });
  });
  await settings.reload();
  return listAll(deps);
}

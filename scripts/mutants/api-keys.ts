import type { Mutant } from '#tests/support/mutant.ts';

const SERVER = 'src/features/api/server/api-keys';
const GATE = { file: `${SERVER}/gate.ts`, tests: [`${SERVER}/gate.test.ts`] };
const CALLERS = { file: `${SERVER}/key-callers.ts`, tests: [`${SERVER}/gate.test.ts`] };
const TEXT = { file: `${SERVER}/key-callers.ts`, tests: [`${SERVER}/gate.test.ts`] };
const BURST = { file: `${SERVER}/gate.ts`, tests: [`${SERVER}/gate.test.ts`] };
const QUOTA = { file: `${SERVER}/quota.ts`, tests: [`${SERVER}/quota.test.ts`] };
const ACCOUNT = { file: `${SERVER}/account-day.ts`, tests: [`${SERVER}/quota.test.ts`] };
const SETTLING = { file: `${SERVER}/account-day.ts`, tests: [`${SERVER}/quota.test.ts`] };
const DAYS = { file: `${SERVER}/store/days.ts`, tests: [`${SERVER}/quota.test.ts`] };
const KEYS = { file: `${SERVER}/store/keys.ts`, tests: [`${SERVER}/keys.test.ts`] };

/** Errors in access to the public API, and in its quotas. */
export const MUTANTS: Mutant[] = [
  {
    ...GATE,
    name: 'a typing error asks the database',
    from: 'if (!isKeyText(key)) throw invalidKey();',
    to: '',
  },
  {
    ...GATE,
    name: 'a plan without keys comes through',
    from: "if (!PLAN_LIMITS[caller.plan].apiKeys) throw new AppError('upgrade_required', 'API access requires Pro');",
    to: '',
  },
  {
    ...GATE,
    name: 'every scope is allowed',
    from: 'PLAN_LIMITS[caller.plan].apiKeys && caller.scopes.includes(scope)',
    to: 'PLAN_LIMITS[caller.plan].apiKeys',
  },
  {
    ...GATE,
    name: 'no burst limit',
    from: 'if (perSecond > 0 && !burst.take(caller.userId, nowMs))\n      refuse',
    to: 'if (perSecond < 0 && !burst.take(caller.userId, nowMs))\n      refuse',
  },
  {
    ...GATE,
    name: 'given back twice',
    from: 'isSpent = false;',
    to: '',
  },
  {
    ...GATE,
    name: 'Retry-After names the time that has passed',
    from: '(DAY_MS - (nowMs % DAY_MS)) / 1000',
    to: '(nowMs % DAY_MS) / 1000',
  },
  { ...CALLERS, name: 'an ended overlap is believed', from: 'each.until === null ?', to: 'each.until !== null ?' },
  {
    ...CALLERS,
    name: 'a key is believed for an hour',
    from: 'const CACHE_MS = 60_000;',
    to: 'const CACHE_MS = 3_600_000;',
  },
  {
    ...CALLERS,
    name: 'nothing is forgotten',
    from: 'if (caller.userId === userId) byKey.delete(key);',
    to: 'void [key, caller, userId];',
  },
  {
    ...CALLERS,
    name: 'unknown keys fill the memory',
    from: 'evictOldest(unknown, MAX_UNKNOWN);',
    to: '',
  },
  {
    ...CALLERS,
    name: 'each unknown key asks for itself',
    from: 'const MAX_BATCH = 200;',
    to: 'const MAX_BATCH = 1;',
  },
  { ...TEXT, name: 'the checksum is not looked at', from: '=== text.slice(-CHECKSUM)', to: '!== undefined' },
  { ...TEXT, name: 'any length', from: 'text.length !== KEY_LENGTH || ', to: '', equivalent: true },
  { ...BURST, name: 'a bucket never fills', from: '(elapsed * perSecond) / 1000', to: '0' },
  {
    ...QUOTA,
    name: 'units of others are not asked for',
    from: 'if (others <= 0 || performance.now() > deadline) {',
    to: 'if (others <= 0 || performance.now() <= deadline) {',
  },
  {
    ...QUOTA,
    name: 'nobody gives back',
    from: 'if (from === me || !account || accountDay(account) !== day) return;',
    to: 'if (from !== me || !account || accountDay(account) === day) return;',
  },
  {
    ...QUOTA,
    name: 'units of a day are spent on the next',
    from: 'account.dayNumber !== dayNumber) {',
    to: 'account.dayNumber > dayNumber + 9) {',
  },
  {
    ...QUOTA,
    name: 'units of a higher plan are spent',
    from: '      } else if (account.limit !== limit) {\n        returnUnits(account);',
    to: '      } else if (account.limit !== limit) {',
  },
  {
    ...QUOTA,
    name: 'what rests is kept when the process ends',
    from: 'if (isStopping || isIdle ||',
    to: 'if (isIdle ||',
  },
  { ...QUOTA, name: 'an idle process keeps its units', from: 'if (isStopping || isIdle ||', to: 'if (isStopping ||' },
  {
    ...ACCOUNT,
    name: 'a call costs nothing',
    from: 'account.units -= 1;',
    to: '',
  },
  {
    ...SETTLING,
    name: 'a commit whose answer was lost is made again',
    from: "status === 'committed' ?",
    to: "status !== 'committed' && status !== 'aborted' ?",
  },
  {
    ...SETTLING,
    name: 'what was not made is taken for made',
    from: "status === 'committed' ?",
    to: 'status.length > 0 ?',
  },
  { ...SETTLING, name: 'what failed is dropped', from: 'if (batch) await writeAgain(batch);', to: '' },
  {
    ...DAYS,
    name: 'more is lent than is left',
    from: 'greatest(0, least(rest, greatest(1,',
    to: 'greatest(0, least(rest + 1, greatest(1,',
  },
  {
    ...DAYS,
    name: 'a day that comes twice cannot be written',
    from: 'group by c.user_id, c.day order by',
    to: 'group by c.user_id, c.day, c.spent, c.released, c.refused order by',
  },
  {
    ...KEYS,
    name: 'an ended key is renewed',
    from: ".where('user_id', '=', userId).where('ended_at', 'is', null);",
    to: ".where('user_id', '=', userId);",
  },
  {
    ...KEYS,
    name: 'a key of others is ended',
    from: ".where('id', '=', id).where('user_id', '=', userId)",
    to: ".where('id', '=', id)",
    tests: ['src/app/server/security/owners.test.ts'],
  },
  {
    ...KEYS,
    name: 'the oldest key lives on through an overlap',
    from: 'const old_hash = oldUntil ? sql<Buffer>`hash` : null;',
    to: 'const old_hash = oldUntil ? sql<Buffer>`coalesce(old_hash, hash)` : null;',
  },
  { ...KEYS, name: 'an old key has no end', from: 'and k.old_until > ${now.toISOString()}::timestamptz', to: '' },
];

import { describe, expect, test } from 'vitest';
import { fileProduct, member } from '#tests/support/for-file.ts';
import { rule, rulesApi } from '#tests/support/own-rules.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { PREFERENCES, preferencesWith, savePreferences } from '#tests/support/preferences.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct({ env: { EMAIL_CONFIRMATION: 'off' } });
const ann = member(s, 'ann', 'pro');

let count = 0;
const someone = (plan: 'free' | 'pro' | 'premium' = 'pro') => {
  count += 1;
  return registerUser(s, `p${count}`, plan);
};

const fileOf = async (who: TestUser) => (await who.get('/api/settings/export')).json();
const bring = (who: TestUser, file: unknown, change: object = {}) =>
  who.post('/api/settings/import', { file, rules: 'add', notifications: true, dryRun: false, ...change });
const wholeFile = (rules: unknown[] | null, notifications: unknown = PREFERENCES) => ({
  version: 1,
  product: 'Meridian',
  createdAt: '2026-11-20T12:00:00.000Z',
  rules,
  notifications,
});
const namesOf = async (who: TestUser) => (await rulesApi(s, who).list()).map(({ name }) => name);

const RICH = {
  ...rule({ name: 'Dollar ⚡ "quoted"', description: 'Line one\nline two', enabled: false, icon: 'bell' }),
  options: {
    mode: 'once',
    cooldownMinutes: 60,
    margin: 500,
    holdMinutes: 5,
    expiresAt: '2027-01-01T00:00:00.000Z',
    and: { metric: 'ai_prediction_short', condition: 'becomes_bullish', value: 'BULLISH' },
    schedule: { days: [1, 5], from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' },
  },
};

describe('the settings file', () => {
  test('contains version, product, time, rules as posted, and every notification setting', async () => {
    await rulesApi(s, ann).save([RICH, rule({ name: 'Plain' })]);
    const kept = await savePreferences(ann, { emailNotifications: false, more: { timeZone: 'Asia/Kolkata' } });
    const answer = await ann.get('/api/settings/export');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="meridian-settings-2026-11-20.json"');
    const { rules, ...rest } = answer.json<{ rules: object[] }>();
    expect(rest).toEqual({
      version: 1,
      product: 'Meridian',
      createdAt: '2026-11-20T12:00:00.000Z',
      notifications: kept,
    });
    expect(rules).toEqual([RICH, expect.objectContaining({ name: 'Plain', value: 90_000 })]);
    const ben = await someone();
    expect((await rulesApi(s, ben).save(rules)).statusCode).toBe(200);
  });

  test('of a free account has no rules', async () => {
    const eve = await someone('free');
    expect(await fileOf(eve)).toMatchObject({ rules: null, notifications: PREFERENCES });
  });
});

describe('importing a file', () => {
  test('restores rules and notification settings', async () => {
    const ben = await someone();
    const file = await fileOf(ann);
    const answer = await bring(ben, file);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        rules: { added: 2, removed: 0, kept: 0 },
        notifications: ['Email notifications: on → off', 'Time zone: UTC → Asia/Kolkata'],
        applied: true,
      },
    ]);
    const { rules, notifications } = await fileOf(ben);
    expect({ rules, notifications }).toEqual({ rules: file.rules, notifications: file.notifications });
  });

  test('a dry run reports the changes and changes nothing', async () => {
    const ben = await someone();
    await rulesApi(s, ben).save([rule({ name: 'Mine' })]);
    const before = await fileOf(ben);
    const tag = await rulesApi(s, ben).etag();
    const answer = await bring(ben, await fileOf(ann), { rules: 'replace', dryRun: true });
    expect(answer.json()).toMatchObject({ rules: { added: 2, removed: 1, kept: 0 }, applied: false });
    expect(await fileOf(ben)).toEqual(before);
    expect(await rulesApi(s, ben).etag()).toBe(tag);
  });

  test('adding appends new rules to the existing ones; identical ones are kept, not duplicated', async () => {
    const ben = await someone();
    await rulesApi(s, ben).save([rule({ name: 'Mine' }), rule({ name: 'Plain' })]);
    const [, plain] = await rulesApi(s, ben).list();
    const file = wholeFile([rule({ name: 'Plain' }), rule({ name: 'New' })]);
    expect((await bring(ben, file)).json()).toMatchObject({ rules: { added: 1, removed: 0, kept: 2 } });
    expect(await namesOf(ben)).toEqual(['Mine', 'Plain', 'New']);
    expect((await rulesApi(s, ben).list())[1]?.id).toBe(plain?.id);
    expect((await bring(ben, file)).json()).toMatchObject({ rules: { added: 0, removed: 0, kept: 3 } });
  });

  test('replacing makes the list match the file; unchanged rules keep their id', async () => {
    const ben = await someone();
    await rulesApi(s, ben).save([rule({ name: 'Mine' }), rule({ name: 'Plain' })]);
    const [, plain] = await rulesApi(s, ben).list();
    const file = wholeFile([rule({ name: 'New' }), rule({ name: 'Plain' })]);
    expect((await bring(ben, file, { rules: 'replace' })).json()).toMatchObject({
      rules: { added: 1, removed: 1, kept: 1 },
    });
    expect(await namesOf(ben)).toEqual(['New', 'Plain']);
    expect((await rulesApi(s, ben).list())[1]?.id).toBe(plain?.id);
  });

  test('ids of another list are ignored', async () => {
    const ben = await someone();
    const [theirs] = await rulesApi(s, ann).list();
    const answer = await bring(ben, wholeFile([{ ...rule({ name: 'Numbered' }), id: theirs?.id }]));
    expect(answer.json()).toMatchObject({ rules: { added: 1 } });
    expect(await namesOf(ben)).toEqual(['Numbered']);
  });

  test('unselected parts are left alone', async () => {
    const ben = await someone();
    const file = wholeFile([rule()], preferencesWith({ emailNotifications: false }));
    const only = { rules: { added: 0, removed: 0, kept: 0 }, applied: true };
    expect((await bring(ben, file, { rules: 'skip' })).json()).toEqual({
      ...only,
      notifications: ['Email notifications: on → off'],
    });
    expect(await namesOf(ben)).toEqual([]);
    expect((await bring(ben, file, { notifications: false })).json()).toMatchObject({ notifications: [] });
    expect(await namesOf(ben)).toEqual(['BTC above 90k']);
    expect((await bring(ben, wholeFile(null, null), { rules: 'skip', notifications: false })).json()).toEqual({
      ...only,
      notifications: [],
    });
  });

  test('is all or nothing: one invalid rule keeps settings and list unchanged', async () => {
    const ben = await someone();
    const file = wholeFile([rule(), rule({ metric: 'btc_mood' })], preferencesWith({ emailNotifications: false }));
    expect(statusAndMessage(await bring(ben, file))).toEqual([400, 'Number 2: Unknown metric "btc_mood"']);
    const { rules, notifications } = await fileOf(ben);
    expect({ rules, notifications }).toEqual({ rules: [], notifications: PREFERENCES });
  });
});

describe('a file that cannot be imported is rejected with one sentence', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => rule({ name: `Rule ${i}` }));
  const FOREIGN = 'This is not a Meridian settings file';
  test.each([
    ['a text', 'hello', FOREIGN],
    ['a list', [rule()], FOREIGN],
    ['another product', { ...wholeFile([]), product: 'Other' }, FOREIGN],
    ['no version', { ...wholeFile([]), version: undefined }, FOREIGN],
    [
      'a later version',
      { ...wholeFile([]), version: 2 },
      'This file has version 2; this Meridian server reads version 1.',
    ],
    ['no rules', wholeFile(null), 'This file contains no custom alerts'],
    [
      'rules that are no list',
      { ...wholeFile([]), rules: { 1: rule() } },
      'The custom alerts in this file are not a list',
    ],
    ['a rule that is none', wholeFile([rule(), 7]), 'Number 2: '],
    ['a rule without a name', wholeFile([rule(), rule({ name: ' ' })]), 'Number 2: Please name the alert'],
    ['thousands of rules', wholeFile(many(501)), 'A list can have at most 500 alerts; this file has 501'],
    ['no settings', wholeFile([], null), 'This file contains no notification settings'],
    [
      'broken settings',
      wholeFile([], { ...PREFERENCES, emailNotifications: 'yes' }),
      'Notification settings: emailNotifications: ',
    ],
  ])('%s', async (_what, file, sentence) => {
    for (const dryRun of [true, false]) {
      const [status, error] = statusAndMessage(await bring(ann, file, { dryRun }));
      expect(status).toBe(400);
      expect(error.startsWith(sentence)).toBe(true);
    }
  });

  test('more rules than the plan allows; as many as allowed are accepted', async () => {
    const ben = await someone();
    expect(statusAndMessage(await bring(ben, wholeFile(many(51))))).toEqual([
      403,
      'Pro includes up to 50 custom alerts; this list has 51',
    ]);
    expect((await bring(ben, wholeFile(many(50)))).statusCode).toBe(200);
    expect(statusAndMessage(await bring(ben, wholeFile([rule({ name: 'One more' })])))[0]).toBe(403);
    await grantPlan(s, ben.id, 'premium');
    expect((await bring(ben, wholeFile([rule({ name: 'One more' })]))).statusCode).toBe(200);
  });

  test('rules on the free plan; its notification settings are imported', async () => {
    const eve = await someone('free');
    const file = wholeFile([rule()], preferencesWith({ eventNotifications: false }));
    expect(statusAndMessage(await bring(eve, file))).toEqual([
      403,
      'Custom alerts require Pro. You can still import notification settings.',
    ]);
    expect((await bring(eve, file, { rules: 'skip' })).json()).toMatchObject({
      notifications: ['Event reminders: on → off'],
      applied: true,
    });
  });
});

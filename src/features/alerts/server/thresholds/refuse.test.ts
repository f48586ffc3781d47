import { beforeAll, describe, expect, test } from 'vitest';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { rule, rulesApi, toInput } from '#tests/support/own-rules.ts';
import { grantPlan, registerUser, type TestUser } from '#tests/support/people.ts';
import { statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct();
let calls: ReturnType<typeof rulesApi>;
beforeAll(async () => {
  await s.job('market.listing');
  calls = rulesApi(s, await registerUser(s, 'ann', 'pro'));
});

const NUMBER = 'Please enter a number, or choose BULLISH, NEUTRAL or BEARISH for an AI alert';
const PRICE = 'Please enter a price above 0 and up to 1,000,000,000,000 USD for Bitcoin price';
const AI = { metric: 'ai_prediction_overall', condition: 'above', value: 'NEUTRAL' } as const;
const FLOW = { metric: 'exchange_flow', condition: 'above', value: 0 } as const;
const NIGHT = { days: [1], from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' };
const second = (more: object) => ({ options: { and: { metric: 'vix', condition: 'above', value: 20, ...more } } });

test.each<[string, object, string]>([
  ['a word for a price', { value: 'abc' }, NUMBER],
  ['a number as text', { value: '90000' }, NUMBER],
  ['a direction for a price', { value: 'BULLISH' }, PRICE],
  ['a price of zero', { value: 0 }, PRICE],
  ['an absurd price', { value: 1e13 }, PRICE],
  [
    'a share above 100',
    { metric: 'btc_dominance', value: 101 },
    'Please enter a share from 0 to 100% for Bitcoin dominance',
  ],
  [
    'more coins than there are',
    { ...FLOW, value: 22e6 },
    'Please enter a number from −21,000,000 to 21,000,000 BTC for Bitcoin net flow to exchanges, 24h',
  ],
  [
    'a change of nothing',
    { condition: 'changes_by', value: 0 },
    'Please enter a change above 0 and up to 1,000% for Bitcoin price',
  ],
  [
    'a thousandfold change',
    { condition: 'changes_by', value: 1001 },
    'Please enter a change above 0 and up to 1,000% for Bitcoin price',
  ],
  [
    'a tenth of a standard deviation',
    { condition: 'changes_by_sigma', value: 0.1 },
    'Please enter a number of standard deviations from 0.5 to 20 for Bitcoin price',
  ],
  [
    'standard deviations of a flow',
    { ...FLOW, condition: 'changes_by_sigma', value: 2 },
    '"changes by N σ" is not available for Bitcoin net flow to exchanges, 24h',
  ],
  ['an unknown metric', { metric: 'moon_phase' }, 'Unknown metric "moon_phase"'],
  ['a metric of the prototype', { metric: 'constructor' }, 'Unknown metric "constructor"'],
  ['a coin nobody follows', { metric: 'price:nocoin' }, 'Meridian does not track the coin "nocoin"'],
  ['an unknown condition', { condition: 'beyond' }, 'Please choose a condition'],
  ['a turn of a price', { condition: 'changes_to_bullish' }, '"changes to bullish" is not available for Bitcoin price'],
  [
    'percents of a direction',
    { ...AI, condition: 'changes_by' },
    '"changes by" is not available for AI prediction, overall',
  ],
  [
    'a number for a direction',
    { ...AI, value: 1 },
    'Please choose BULLISH, NEUTRAL or BEARISH for AI prediction, overall',
  ],
  ['a direction nobody knows', { ...AI, value: 'SIDEWAYS' }, NUMBER],
  ['no name', { name: '  ' }, 'Please name the alert'],
  ['a long name', { name: 'x'.repeat(81) }, 'Names can have at most 80 characters'],
  ['a long description', { description: 'x'.repeat(501) }, 'Descriptions can have at most 500 characters'],
  ['a margin as large as the value', { options: { margin: 90_000 } }, 'The margin must be smaller than the value'],
  ['a margin below zero', { options: { margin: -1 } }, 'Please enter a margin of 0 or more'],
  ['a margin of a direction', { ...AI, options: { margin: 1 } }, 'Margins do not apply to AI alerts'],
  ['no cooldown', { options: { cooldownMinutes: 0 } }, 'The cooldown must be 1 to 10,080 minutes'],
  ['a hold of a month', { options: { holdMinutes: 43_200 } }, 'The hold time must be 0 to 10,080 minutes'],
  [
    'an expiry in the past',
    { options: { expiresAt: '2026-11-20T11:59:00Z' } },
    'The expiry is in the past. Please choose a later time.',
  ],
  ['an expiry that is no time', { options: { expiresAt: 'soon' } }, 'Please enter the expiry as a date and time'],
  [
    'an unknown time zone',
    { options: { schedule: { ...NIGHT, timeZone: 'Mars/Olympus' } } },
    'Unknown time zone "Mars/Olympus"',
  ],
  ['a schedule without days', { options: { schedule: { ...NIGHT, days: [] } } }, 'Please choose a day'],
  ['an hour that is none', { options: { schedule: { ...NIGHT, from: '24:00' } } }, 'Please enter a time such as 09:30'],
  ['a second condition on nothing', second({ metric: 'moon' }), 'Second condition: Unknown metric "moon"'],
  [
    'a second value that is absurd',
    second({ value: -1 }),
    'Second condition: Please enter a number above 0 and up to 1,000 for VIX, daily close',
  ],
  ['an option nobody knows', { options: { loud: true } }, 'options: Unrecognized key: "loud"'],
])('400: %s', async (_what, more, words) => {
  const given = rule(more);
  for (const res of [await calls.add(given), await calls.preview(given)])
    expect(statusAndMessage(res)).toEqual([400, words]);
  expect(statusAndMessage(await calls.save([rule(), given]))).toEqual([
    400,
    words.startsWith('options: ') ? `thresholds.1.${words}` : `Number 2: ${words}`,
  ]);
  expect(await calls.list()).toEqual([]);
});

test('400: a non-finite number', async () => {
  const payload = JSON.stringify(rule()).replace('90000', '1e999');
  const { token } = await registerUser(s, 'inf', 'pro');
  const res = await s.product.app.inject({
    method: 'POST',
    url: '/api/alerts/thresholds/rules',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload,
  });
  expect(statusAndMessage(res)).toEqual([400, NUMBER]);
});

test.each<[string, object]>([
  ['a flow of zero with its margin', { ...FLOW, options: { margin: 500 } }],
  ['a flow out of the exchanges', { ...FLOW, condition: 'below', value: -5000 }],
  ['the end of a range with its margin', { condition: 'leaves_range', value: 0, options: { margin: 0.5 } }],
  ['the change of a flow', { ...FLOW, condition: 'changes_by', value: 50 }],
  ['a coin by its id', { metric: 'price:ripple', value: 5 }],
  ['a turn without a value of its own', { ...AI, condition: 'becomes_bearish', value: 0 }],
  [
    'a night, a second condition, an expiry',
    { options: { schedule: NIGHT, ...second({}).options, expiresAt: '2030-01-01T00:00:00Z' } },
  ],
])('200: %s', async (_what, more) => {
  const res = await calls.save([rule(more)]);
  expect(res.statusCode).toBe(200);
  await calls.save([]);
});

test('every condition fits metrics of its kind', async () => {
  for (const condition of ['above', 'below', 'equals', 'changes_by', 'changes_by_sigma', 'leaves_range'] as const)
    expect((await calls.save([rule({ condition, value: 5 })])).statusCode).toBe(200);
  for (const condition of ['above', 'below', 'equals', 'changes_to_bullish', 'becomes_neutral'] as const)
    expect((await calls.save([rule({ ...AI, condition })])).statusCode).toBe(200);
  await calls.save([]);
});

describe('an expiring plan', () => {
  const DAY_MS = 86_400_000;
  const db = () => s.product.market.ctx.db;
  let ann: TestUser;
  const givePlan = (plan: 'pro' | 'premium', days: number) =>
    grantPlan(s, ann.id, plan, { source: plan, endsAt: new Date(s.clock.now().getTime() + days * DAY_MS) });
  /** As known to the rules' owner, whatever the user may see. */
  const pausesOf = async () =>
    (
      await db().selectFrom('alert_rules').select('paused').where('user_id', '=', ann.id).orderBy('position').execute()
    ).map(({ paused }) => paused);
  const countsOf = async () => {
    const pauses = await pausesOf();
    return [pauses.filter((paused) => paused === null).length, pauses.filter((paused) => paused === 'plan').length];
  };
  beforeAll(async () => {
    ann = await registerUser(s, 'planned');
    calls = rulesApi(s, ann);
    await givePlan('premium', 2);
    await givePlan('pro', 4);
  });

  test('rules beyond the plan are paused when it ends, last in the list first, and resume when it returns', async () => {
    const list = (
      await calls.save(Array.from({ length: 60 }, (_, i) => rule({ name: `rule ${i}`, value: 90_000 + i })))
    ).json<Threshold[]>();
    const [first, last] = [list[0], list[59]] as [Threshold, Threshold];
    await db()
      .updateTable('alert_rules')
      .set({ fires: 4, last_fired_at: '2026-11-20T11:00:00Z', first_on: 2 })
      .where('id', 'in', [first.id, last.id])
      .execute();
    await s.job('alerts.plans');
    expect(await countsOf()).toEqual([60, 0]);

    s.advance(2.5 * DAY_MS);
    await s.job('alerts.plans');
    expect(await pausesOf()).toEqual([...Array(50).fill(null), ...Array(10).fill('plan')]);
    const shown = await calls.list();
    expect(shown[59]).toMatchObject({ state: 'paused', note: 'Paused: Pro includes up to 50 custom alerts', fires: 4 });
    expect(shown[59]?.canRearm).toBe(false);
    expect(statusAndMessage(await calls.rearm(last.id))).toEqual([
      400,
      'Pro includes up to 50 custom alerts, and this one exceeds the limit',
    ]);
    expect(shown[0]?.fires).toBe(4);

    s.advance(2.5 * DAY_MS);
    await s.job('alerts.plans');
    expect(await countsOf()).toEqual([0, 60]);

    await givePlan('premium', 3);
    await s.job('market.listing');
    await s.job('alerts.plans');
    expect(await countsOf()).toEqual([60, 0]);
    // They restart: no longer above, so the next crossing fires.
    expect((await calls.list())[59]).toMatchObject({ state: 'armed', fires: 4 });
  });

  test('an older list can be saved and reordered, but cannot grow', async () => {
    s.advance(3.5 * DAY_MS);
    await givePlan('pro', 3);
    await s.job('alerts.plans');
    expect(await countsOf()).toEqual([50, 10]);
    const list = await calls.list();
    const last = list.at(-1) as Threshold;
    expect((await calls.save([...list.map(toInput), rule()])).statusCode).toBe(403);
    expect((await calls.save([last, ...list.slice(0, -1)].map(toInput))).statusCode).toBe(200);
    expect(await countsOf()).toEqual([50, 10]);
    expect((await calls.list())[0]).toMatchObject({ id: last.id, state: 'no_data' });
    expect((await calls.save(list.slice(0, 50).map(toInput))).statusCode).toBe(200);
    expect(await countsOf()).toEqual([50, 0]);
  });

  test('an ETag from before a pause still identifies the list', async () => {
    const etag = await calls.etag();
    s.advance(3.5 * DAY_MS);
    await s.job('alerts.plans');
    expect(await countsOf()).toEqual([0, 50]);
    await givePlan('pro', 3);
    const list = await calls.list();
    expect((await calls.save(list.map(toInput), etag)).statusCode).toBe(200);
    expect(await countsOf()).toEqual([50, 0]);
  });
});

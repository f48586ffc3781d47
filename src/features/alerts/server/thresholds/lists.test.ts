import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listThresholds, type Threshold } from '#features/alerts/contract/thresholds.ts';
import { fileProduct } from '#tests/support/for-file.ts';
import { RULES_URL, readStoredRule, rule, rulesApi, toInput } from '#tests/support/own-rules.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { sortedStatuses, statusAndMessage } from '#tests/support/rows.ts';

const s = fileProduct();
let ann: TestUser;
let calls: ReturnType<typeof rulesApi>;
let names = 0;
const db = () => s.product.market.ctx.db;
const rowOf = (id: number) => readStoredRule(s, id);

beforeAll(async () => {
  await s.job('market.listing');
});
beforeEach(async () => {
  ann = await registerUser(s, `ann-${names++}`, 'pro');
  calls = rulesApi(s, ann);
});

/** The state the engine leaves after a fire. */
const fired = (id: number) =>
  db()
    .updateTable('alert_rules')
    .set({ first_on: 2, fires: 3, last_fired_at: '2026-11-20T11:00:00Z', pending_since: null })
    .where('id', '=', id)
    .execute();

describe('the list', () => {
  test('200: empty at first, with an ETag', async () => {
    const res = await ann.get(RULES_URL);
    expect([res.statusCode, res.json(), res.headers['etag']]).toEqual([200, [], '"0"']);
  });

  test('200: a holding rule within its hold time shows which value will fire it', async () => {
    const mine = (await calls.add(rule())).json<Threshold>();
    await db()
      .updateTable('alert_rules')
      .set({ first_on: 2, pending_since: '2026-11-20T11:00:00Z' })
      .where('id', '=', mine.id)
      .execute();
    const [shown] = await calls.list();
    expect(shown?.state).toBe('pending');
    expect(shown?.note).toMatch(/^Fires on the first value after .*11:00.* if still met$/);
  });

  test('200: saved rules are returned in order, each with state, unit, icon, cadence and current value', async () => {
    const saved = await calls.save([
      rule(),
      rule({ name: 'Calm', metric: 'ai_prediction_short', condition: 'becomes_bullish', value: 'BULLISH' }),
      rule({ name: 'Jump', metric: 'price:solana', condition: 'changes_by', value: 500, icon: 'rocket' }),
    ]);
    expect([saved.statusCode, saved.headers['etag']]).toEqual([200, '"1"']);
    const list = listThresholds.reply.parse((await ann.get(RULES_URL)).json());
    expect(list).toEqual(saved.json());
    const price = s.product.market.ctx.board.find('bitcoin')?.price ?? 0;
    expect(list).toMatchObject([
      {
        name: 'BTC above 90k',
        unit: 'USD',
        icon: 'bitcoin',
        iconChosen: false,
        enabled: true,
        fires: 0,
        lastFiredAt: null,
      },
      { name: 'Calm', unit: 'direction', icon: 'ai', value: 'BULLISH', state: 'no_data', current: null },
      { name: 'Jump', unit: '%', icon: 'rocket', iconChosen: true, state: 'armed' },
    ]);
    expect(list[0]?.current).toMatchObject({ value: price, meta: { source: 'CoinGecko' } });
    expect(list[0]?.cadence).toBe('with every price, about once a second');
    expect(list[0]?.options).toEqual({
      mode: 'every',
      cooldownMinutes: 15,
      margin: null,
      holdMinutes: 0,
      expiresAt: null,
      and: null,
      schedule: null,
    });
  });

  test('the state is current: a rule that already holds shows it and waits for the next crossing', async () => {
    const price = s.product.market.ctx.board.find('bitcoin')?.price ?? 0;
    const res = await calls.save([
      rule({ name: 'over', value: price * 0.9 }),
      rule({ name: 'far', value: price * 1.1 }),
      rule({ name: 'under', condition: 'below', value: price * 1.1 }),
      rule({ name: 'off', value: price * 1.1, enabled: false }),
      rule({ name: 'at', condition: 'equals', value: Math.round(price * 100) / 100 }),
      rule({ name: 'both', value: 1, options: { and: { metric: 'eth_price', condition: 'above', value: 1 } } }),
    ]);
    const list = res.json<Threshold[]>();
    expect(list.map(({ name, state, note }) => [name, state, note])).toEqual([
      ['over', 'fired', 'Already above: fires at the next crossing'],
      ['far', 'armed', null],
      ['under', 'fired', 'Already below: fires at the next crossing'],
      ['off', 'off', null],
      ['at', 'fired', 'Already equal: fires when it returns to this value'],
      ['both', 'fired', 'Both conditions already met: fires the next time both become true'],
    ]);
    const rows = await Promise.all(list.map(({ id }) => rowOf(id)));
    expect(rows.map(({ first_on }) => first_on)).toEqual([2, 1, 2, 1, 2, 2]);
  });
});

describe('saving all', () => {
  test('keeps id, state and counts of an equivalent rule, also with another name or position', async () => {
    const [first, second] = (await calls.save([rule(), rule({ name: 'ETH', metric: 'eth_price', value: 9_000 })])).json<
      Threshold[]
    >();
    if (!first || !second) throw new Error('Two rules were saved');
    await fired(first.id);
    const res = await calls.save([
      toInput(second),
      { ...toInput(first), name: 'Renamed', description: 'why', icon: 'star' },
    ]);
    expect(res.json<Threshold[]>()).toMatchObject([
      { id: second.id, name: 'ETH' },
      { id: first.id, name: 'Renamed', description: 'why', icon: 'star', state: 'fired', fires: 3 },
    ]);
    expect(await rowOf(first.id)).toMatchObject({ version: 1, first_on: 2, position: 1 });
  });

  test.each([
    ['another value', { value: 91_000 }],
    ['another metric', { metric: 'eth_price' }],
  ] as const)('resets the state of a rule whose meaning changes: %s', async (_what, change) => {
    const [first] = (await calls.save([rule()])).json<Threshold[]>();
    if (!first) throw new Error('A rule was saved');
    await fired(first.id);
    const [saved] = (await calls.save([{ ...toInput(first), ...change }])).json<Threshold[]>();
    expect(saved).toMatchObject({ id: first.id, fires: 0, lastFiredAt: null });
    expect(await rowOf(first.id)).toMatchObject({ version: 2, fires: 0, last_fired_at: null });
  });

  test.each([
    ['switched off', { enabled: false }],
    ['another cooldown', { options: { cooldownMinutes: 60 } }],
  ] as const)('keeps the firing history while the condition is the same: %s', async (_what, change) => {
    const [first] = (await calls.save([rule({ value: 1e12 })])).json<Threshold[]>();
    if (!first) throw new Error('A rule was saved');
    await fired(first.id);
    await db().updateTable('alert_rules').set({ suppressed: 2 }).where('id', '=', first.id).execute();
    const [saved] = (await calls.save([{ ...toInput(first), ...change }])).json<Threshold[]>();
    expect(saved).toMatchObject({ id: first.id, fires: 3, lastFiredAt: '2026-11-20T11:00:00.000Z' });
    expect(await rowOf(first.id)).toMatchObject({ version: 2, suppressed: 2, first_on: 1 });
  });

  test('removes omitted rules, and an identical list changes nothing', async () => {
    const [first] = (await calls.save([rule(), rule({ name: 'second' })])).json<Threshold[]>();
    if (!first) throw new Error('A rule was saved');
    const fewer = await calls.save([toInput(first)]);
    expect([fewer.json<Threshold[]>().length, fewer.headers['etag']]).toEqual([1, '"2"']);
    expect((await calls.save([toInput(first)])).headers['etag']).toBe('"2"');
    expect((await calls.save([])).json()).toEqual([]);
  });

  test('412: a list changed in another tab is not overwritten', async () => {
    const before = await calls.etag();
    await calls.save([rule()], before);
    expect(statusAndMessage(await calls.save([], before))).toEqual([
      412,
      'Your alerts were changed in another tab. Reload to see them.',
    ]);
    expect(await calls.list()).toHaveLength(1);
    expect((await calls.save([], await calls.etag())).statusCode).toBe(200);
  });

  test('412: of two tabs that save concurrently one wins', async () => {
    const etag = await calls.etag();
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, i) => calls.save([rule({ name: `tab ${i}` })], etag)),
    );
    expect(sortedStatuses(replies)).toEqual([200, 412, 412, 412, 412]);
    expect(await calls.list()).toHaveLength(1);
  });

  test('without If-Match the last write wins, entirely', async () => {
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => calls.save([rule({ name: `a ${i}` }), rule({ name: `b ${i}` })])),
    );
    const list = await calls.list();
    expect(list).toHaveLength(2);
    expect(list[0]?.name.at(-1)).toBe(list[1]?.name.at(-1));
  });

  test('404: an id that is not in the list, and nothing is saved', async () => {
    const res = await calls.save([rule({ name: 'mine' }), rule({ id: 999_999 })]);
    expect(statusAndMessage(res)).toEqual([404, 'Alert 999999 is not in your list. Reload to see your alerts.']);
    expect(await calls.list()).toEqual([]);
  });

  test('400: a duplicate id', async () => {
    const [first] = (await calls.save([rule()])).json<Threshold[]>();
    const res = await calls.save([rule({ id: first?.id }), rule({ id: first?.id })]);
    expect(statusAndMessage(res)).toEqual([400, `The list contains alert ${first?.id} twice`]);
  });

  test('one invalid rule among valid ones: nothing is saved', async () => {
    const res = await calls.save([rule(), rule({ value: -1 }), rule()]);
    expect(statusAndMessage(res)).toEqual([
      400,
      'Number 2: Please enter a price above 0 and up to 1,000,000,000,000 USD for Bitcoin price',
    ]);
    expect(await calls.list()).toEqual([]);
  });

  test('a rule whose expiry has passed or coin is gone can be saved again unchanged', async () => {
    const expiresAt = new Date(s.clock.now().getTime() + 60_000).toISOString();
    const [first] = (await calls.save([rule({ options: { expiresAt } })])).json<Threshold[]>();
    if (!first) throw new Error('A rule was saved');
    await db().updateTable('alert_rules').set({ metric: 'price:gone' }).where('id', '=', first.id).execute();
    s.advance(120_000);
    const [listed] = await calls.list();
    expect(listed).toMatchObject({ state: 'expired', metric: 'price:gone' });
    expect((await calls.save([toInput(listed as Threshold)])).statusCode).toBe(200);
  });
});

describe('above the limit', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => rule({ name: `rule ${i}` }));

  test('403: more rules than the plan covers, and nothing is saved', async () => {
    expect(statusAndMessage(await calls.save(many(51)))).toEqual([
      403,
      'Pro includes up to 50 custom alerts; this list has 51',
    ]);
    expect(await calls.list()).toEqual([]);
    expect((await calls.save(many(50))).statusCode).toBe(200);
    expect(statusAndMessage(await calls.add(rule()))).toEqual([
      403,
      'Pro includes up to 50 custom alerts; this list has 51',
    ]);
  });

  test('500 rules with the longest texts fit; thousands are rejected with a message', async () => {
    const rich = rulesApi(s, await registerUser(s, `rich-${names++}`, 'premium'));
    const long = many(500).map((each) => ({ ...each, name: '貓'.repeat(80), description: '狗'.repeat(500) }));
    expect((await rich.save(long)).statusCode).toBe(200);
    expect(statusAndMessage(await rich.save(many(3000)))).toEqual([400, 'A list can have at most 500 alerts']);
    expect(statusAndMessage(await rich.save(many(40_000)))).toEqual([413, 'The request is too large']);
    expect(await rich.list()).toHaveLength(500);
  });
});

describe('one rule', () => {
  test('is added on top, changed and deleted, each with the new ETag of the list', async () => {
    await calls.save([rule({ name: 'old' })]);
    const added = await calls.add(rule({ name: 'new' }));
    expect([added.statusCode, added.headers['etag'], added.json<Threshold>().name]).toEqual([200, '"2"', 'new']);
    expect((await calls.list()).map(({ name }) => name)).toEqual(['new', 'old']);
    const { id } = added.json<Threshold>();
    const changed = await calls.change(id, rule({ name: 'new', value: 95_000 }), '"2"');
    expect([changed.headers['etag'], changed.json()]).toMatchObject(['"3"', { id, value: 95_000 }]);
    expect(statusAndMessage(await calls.remove(id, '"2"'))[0]).toBe(412);
    const removed = await calls.remove(id, '"3"');
    expect([removed.statusCode, removed.json(), removed.headers['etag']]).toEqual([200, { ok: true }, '"4"']);
    expect(statusAndMessage(await calls.remove(id))).toEqual([404, 'Alert not found']);
  });

  test('400: a new rule with an id', async () => {
    expect(statusAndMessage(await calls.add(rule({ id: 7 })))).toEqual([400, 'A new alert must not have an id']);
  });

  test('400: route and body name different alerts', async () => {
    const { id } = (await calls.add(rule())).json<Threshold>();
    expect(statusAndMessage(await calls.change(id, rule({ id: id + 1 })))).toEqual([
      400,
      `The alert id in the URL (${id}) does not match the one in the body (${id + 1})`,
    ]);
  });

  test('is rearmed after firing once or a storm pause, with its counts', async () => {
    const { id } = (await calls.add(rule({ options: { mode: 'once' } }))).json<Threshold>();
    await fired(id);
    for (const state of [{ done: true }, { paused: 'storm' as const }]) {
      await db().updateTable('alert_rules').set(state).where('id', '=', id).execute();
      expect((await calls.list())[0]).toMatchObject({ state: state.done ? 'done' : 'paused', canRearm: true });
      const etag = await calls.etag();
      const res = await calls.rearm(id);
      expect([res.statusCode, res.headers['etag']]).toEqual([200, etag]);
      expect(res.json()).toMatchObject({ id, fires: 3, state: 'armed', canRearm: false });
    }
    const { version } = await rowOf(id);
    expect(statusAndMessage(await calls.rearm(id))).toEqual([400, 'This alert is already armed']);
    await calls.change(id, rule({ enabled: false }));
    expect(statusAndMessage(await calls.rearm(id))).toEqual([400, 'Enable this alert first']);
    expect((await rowOf(id)).version).toBe(version + 1);
  });
});

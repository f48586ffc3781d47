import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Threshold } from '#features/alerts/contract/thresholds.ts';
import { callsOf, rule, storedRule } from '#tests/support/own-rules.ts';
import { type Person, person } from '#tests/support/people.ts';
import { said } from '#tests/support/replies.ts';
import { type Started, start } from '#tests/support/start.ts';

let s: Started;
let ann: Person;
let calls: ReturnType<typeof callsOf>;
let names = 0;
const db = () => s.product.market.ctx.db;
const rowOf = (id: number) => storedRule(s, id);

beforeAll(async () => {
  s = await start();
  await s.job('market.listing');
});
afterAll(() => s.stop());
beforeEach(async () => {
  ann = await person(s, `one-${names++}`, 'pro');
  calls = callsOf(s, ann);
});

/** As the engine would leave it after a fire. */
const fired = (id: number) =>
  db()
    .updateTable('alert_rules')
    .set({ first_on: 2, fires: 3, last_fired_at: '2026-11-20T11:00:00Z', pending_since: null })
    .where('id', '=', id)
    .execute();

describe('one rule', () => {
  test('is added on top, changed and deleted, each with the list’s new ETag', async () => {
    await calls.save([rule({ name: 'old' })]);
    const added = await calls.add(rule({ name: 'new' }));
    expect([added.statusCode, added.headers['etag'], added.json<Threshold>().name]).toEqual([200, '"2"', 'new']);
    expect((await calls.list()).map(({ name }) => name)).toEqual(['new', 'old']);
    const { id } = added.json<Threshold>();
    const changed = await calls.change(id, rule({ name: 'new', value: 95_000 }), '"2"');
    expect([changed.headers['etag'], changed.json()]).toMatchObject(['"3"', { id, value: 95_000 }]);
    expect(said(await calls.remove(id, '"2"'))[0]).toBe(412);
    const removed = await calls.remove(id, '"3"');
    expect([removed.statusCode, removed.json(), removed.headers['etag']]).toEqual([200, { ok: true }, '"4"']);
    expect(said(await calls.remove(id))).toEqual([404, 'There is no such alert in your list']);
  });

  test('400: a new one that has a number', async () => {
    expect(said(await calls.add(rule({ id: 7 })))).toEqual([400, 'A new alert has no number yet']);
  });

  test('400: the address and the alert name different ones', async () => {
    const { id } = (await calls.add(rule())).json<Threshold>();
    expect(said(await calls.change(id, rule({ id: id + 1 })))).toEqual([
      400,
      `The address names alert number ${id}, the alert itself number ${id + 1}`,
    ]);
  });

  test('is armed again when it has fired once or a storm paused it, with its counts', async () => {
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
    expect(said(await calls.rearm(id))).toEqual([400, 'There is nothing to arm again: it is watched already']);
    await calls.change(id, rule({ enabled: false }));
    expect(said(await calls.rearm(id))).toEqual([400, 'Please enable this alert first']);
    expect((await rowOf(id)).version).toBe(version + 1);
  });
});

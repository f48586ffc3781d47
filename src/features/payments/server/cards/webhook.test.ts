import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';

import { registerUser, type TestUser } from '#tests/support/people.ts';
import { auditAccounts, DAY_MS, type Event, fileShop, queryRows, readSubscription } from '#tests/support/shop.ts';

const shop = fileShop({ STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_demo' });

/** Stored card data of a user, without timestamps. */
async function kept(who: TestUser) {
  const id = [who.id];
  return {
    subs: await queryRows(
      shop.s,
      'select id, plan, status, period_end, cancel_at_period_end from card_subscriptions where user_id = $1 order by id',
      id,
    ),
    invoices: await queryRows(
      shop.s,
      'select id, status, units_paid, units_refunded, paid_at from card_invoices where user_id = $1 order by id',
      id,
    ),
    grants: await queryRows(
      shop.s,
      `select source, plan, good_at, units, exists (select from plan_grant_revocations r where r.source = g.source) as gone
      from plan_grants g where user_id = $1 order by source`,
      id,
    ),
    books: await queryRows(
      shop.s,
      `select key, account, units from postings where key in (select 'card:' || id from card_invoices where user_id = $1) order by key, account`,
      id,
    ),
  };
}

/** Resets a user to having no records. */
async function wipe({ id }: TestUser): Promise<void> {
  const tables = ['plan_grants', 'plan_grant_revocations', 'journal', 'postings'];
  const invoices = `select 'card:' || id from card_invoices where user_id = ${id}`;
  await queryRows(
    shop.s,
    [
      ...tables.map((table) => `alter table ${table} disable trigger ${table}_stay`),
      `delete from postings where key in (${invoices})`,
      `delete from journal where key in (${invoices})`,
      `delete from plan_grants where user_id = ${id}`,
      `delete from entitlements where user_id = ${id}`,
      `delete from card_invoices where user_id = ${id}`,
      `delete from card_subscriptions where user_id = ${id}`,
      'delete from card_events',
      ...tables.map((table) => `alter table ${table} enable trigger ${table}_stay`),
    ].join(';'),
  );
}

describe('the signature', () => {
  let event: Event;
  let ann: TestUser;
  beforeAll(async () => {
    ann = await registerUser(shop.s, 'ann');
    await shop.buy(ann, 'pro');
    event = (await shop.newEvents()).find(({ type }) => type === 'invoice.paid') as Event;
  });

  test.each([
    ['forged', { header: 't=1,v1=00' }],
    ['empty', { header: '' }],
    ['of another secret', { secret: 'whsec_other' }],
    ['older than five minutes', { ageSeconds: 301 }],
  ])('%s is rejected and nothing is written', async (_, how) => {
    const answer = await shop.deliver(event, how);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ error: 'Invalid webhook signature', code: 'bad_request' });
    expect(await readSubscription(ann)).toMatchObject({ plan: 'free' });
  });

  test('over a different body is rejected, as is an empty body', async () => {
    for (const raw of [JSON.stringify(event).replace('"pro"', '"premium"'), '', '{}'])
      expect((await shop.deliver(event, { raw })).statusCode).toBe(400);
    expect((await kept(ann)).grants).toEqual([]);
  });

  test('of either secret is valid during rotation, and a replay changes nothing', async () => {
    const first = await shop.deliver(event, { secret: 'whsec_new' });
    expect([first.statusCode, first.json()]).toEqual([200, { received: 'done' }]);
    const after = await kept(ann);
    const again = await shop.deliver(event, { secret: 'whsec_demo', ageSeconds: 299 });
    expect([again.statusCode, again.json()]).toEqual([200, { received: 'duplicate' }]);
    expect(await kept(ann)).toEqual(after);
    expect(await readSubscription(ann)).toMatchObject({ plan: 'pro' });
  });

  test('of an unrelated event is acknowledged and the event ignored', async () => {
    const answer = await shop.deliver({ id: 'evt_x', type: 'product.created', created: 1, data: { object: {} } });
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: 'ignored' }]);
  });
});

test('any order and any duplicates, sequential or concurrent, lead to the same state', async () => {
  const bo = await registerUser(shop.s, 'bo');
  await shop.buy(bo, 'pro');
  shop.s.advance(31 * DAY_MS);
  const events = await shop.newEvents();
  const sub = events.map(({ data }) => data.object).find(({ object }) => object === 'subscription');
  await shop.api('POST', `subscriptions/${String(sub?.['id'])}`, { cancel_at_period_end: 'true' });
  events.push(...(await shop.newEvents()));
  for (const event of events) await shop.deliver(event);
  const want = await kept(bo);
  expect(want.grants).toHaveLength(2);
  const order = fc.shuffledSubarray([...events.keys()], { minLength: events.length });
  await fc.assert(
    fc.asyncProperty(
      order,
      fc.array(fc.nat(events.length - 1), { maxLength: 6 }),
      fc.boolean(),
      async (o, d, atOnce) => {
        await wipe(bo);
        const each = [...o, ...d].map((i) => events[i] as Event);
        const answers: string[] = [];
        if (atOnce) answers.push(...(await Promise.all(each.map((e) => shop.deliver(e)))).map(({ body }) => body));
        else for (const event of each) answers.push((await shop.deliver(event)).body);
        expect(answers.filter((body) => body.includes('duplicate'))).toHaveLength(d.length);
        expect(await kept(bo)).toEqual(want);
      },
    ),
    { numRuns: 20 },
  );
}, 240_000);

test('two processes that receive the same webhook concurrently grant once', async () => {
  const other = await shop.s.another();
  const cleo = await registerUser(shop.s, 'cleo');
  await shop.buy(cleo, 'pro');
  for (const event of await shop.newEvents()) {
    const answers = await Promise.all([shop.deliver(event), shop.deliver(event, { at: other }), shop.deliver(event)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(answers.filter(({ body }) => body.includes('done'))).toHaveLength(1);
  }
  expect((await kept(cleo)).grants).toHaveLength(1);
  await auditAccounts(shop.s);
});

test('a slow read of an old state never overwrites a newer one', async () => {
  const dan = await registerUser(shop.s, 'dan');
  await shop.buy(dan, 'pro');
  const events = await shop.newEvents();
  const created = events.find(({ type }) => type === 'customer.subscription.created') as Event;
  for (const event of events) if (event !== created) await shop.deliver(event);
  await shop.switches({ lose: '1', staleReads: '1', staleMs: '600' });
  const slow = shop.deliver(created);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await shop.api('POST', `subscriptions/${String(created.data.object['id'])}`, { cancel_at_period_end: 'true' });
  for (const event of await shop.newEvents()) expect((await shop.deliver(event)).json()).toEqual({ received: 'done' });
  expect((await slow).json()).toEqual({ received: 'done' });
  expect(await shop.s.product.cards.cardOf(dan.id)).toMatchObject({ cancelled: true });
});

test.each(['card_events', 'card_subscriptions', 'card_invoices', 'journal', 'plan_grants', 'entitlements'])(
  'a failure while %s is written leaves nothing, and the next delivery completes it',
  async (table) => {
    const who = await registerUser(shop.s, `broken-${table}`);
    await shop.buy(who, 'pro');
    const event = (await shop.newEvents()).find(({ type }) => type === 'invoice.paid') as Event;
    await queryRows(
      shop.s,
      `create or replace function break_off() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
      create trigger break_off after insert on ${table} for each row execute function break_off()`,
    );
    expect((await shop.deliver(event)).statusCode).toBe(500);
    await queryRows(shop.s, `drop trigger break_off on ${table}`);
    expect(await kept(who)).toEqual({ subs: [], invoices: [], grants: [], books: [] });
    expect((await shop.deliver(event)).json()).toEqual({ received: 'done' });
    expect((await kept(who)).grants).toHaveLength(1);
    expect(await readSubscription(who)).toMatchObject({ plan: 'pro' });
  },
);

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Listener, openListener } from '#kernel/listener.ts';
import { createDraft, raise } from '#tests/support/alerts.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { type RecordingChannel, recordingChannel } from '#tests/support/recording-channel.ts';
import { skipTimers } from '#tests/support/skip-timers.ts';
import { start, type TestProduct } from '#tests/support/start.ts';

let s: TestProduct;
let ann: TestUser;
let email: RecordingChannel;
let webhook: RecordingChannel;
let listener: Listener;
beforeEach(async () => {
  email = recordingChannel({ batch: 1 });
  webhook = recordingChannel({ name: 'webhook', perSecond: 5, batch: 10 });
  s = await start({ channels: [email, webhook] });
  ann = await registerUser(s, 'ann', 'pro');
  listener = await openListener(s.connection, () => undefined);
  await s.product.notifications.listen(listener);
});
afterEach(async () => {
  await listener.close();
  await s.stop();
});

let count = 0;
const tellAnn = () => raise(s, [createDraft(`run-${++count}`, { own: { userId: ann.id, ruleId: 1 } })]);
const states = async (channel = '%') => {
  const { rows } = await sql<{
    state: string;
  }>`select state from notification_deliveries where channel like ${channel} order by id`.execute(
    s.product.market.ctx.db,
  );
  return rows.map(({ state }) => state);
};

describe('a worker', () => {
  test('sends on updates, without waiting for its job', async () => {
    await tellAnn();
    await vi.waitFor(async () => expect(await states()).toEqual(['sent']), 3000);
    await Promise.all([tellAnn(), tellAnn()]);
    await vi.waitFor(async () => expect(await states()).toEqual(['sent', 'sent', 'sent']), 3000);
    expect(email.received).toHaveLength(3);
  });

  test('continues automatically with items above the rate', async () => {
    for (let i = 0; i < 8; i++) await registerUser(s, `ben${i}`, 'premium');
    await raise(s, [createDraft('paced')]);
    const paced = [...Array<string>(3).fill('due'), ...Array<string>(5).fill('sent')];
    await vi.waitFor(async () => expect((await states('webhook')).toSorted()).toEqual(paced), 3000);
    expect(webhook.received).toHaveLength(5);
    s.advance(1000);
    await vi.waitFor(() => expect(webhook.received).toHaveLength(8), 3000);
  });

  test('finishes its batch when stopped and claims no more', async () => {
    let finish: (outcomes: { state: 'sent' }[]) => void = () => undefined;
    email.respond = () => new Promise((resolve) => (finish = resolve));
    await Promise.all([tellAnn(), tellAnn()]);
    await vi.waitFor(() => expect(email.received).toHaveLength(1), 3000);
    const closed = s.product.notifications.close();
    finish([{ state: 'sent' }]);
    await closed;
    expect((await states()).toSorted()).toEqual(['due', 'sent']);
    expect(email.received).toHaveLength(1);
    expect(await s.product.notifications.deliver()).toBe(0);
  });

  test('with a hanging channel blocks no other; when the worker stops, it is aborted after four seconds', async () => {
    const ben = await registerUser(s, 'ben', 'premium');
    let isBroken = false;
    email.respond = (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          isBroken = true;
          resolve([{ state: 'later', note: 'The server stopped' }]);
        }),
      );
    await raise(s, [createDraft('hanging')]);
    await vi.waitFor(
      () => expect([email.received.length, webhook.received.map(({ userId }) => userId)]).toEqual([1, [ben.id]]),
      3000,
    );
    const { skipped, restore } = skipTimers(4000, 4000);
    await s.product.notifications.close();
    restore();
    expect([isBroken, skipped]).toEqual([true, [4000]]);
    const { rows } = await sql`select state from notification_deliveries where note = 'The server stopped'`.execute(
      s.product.market.ctx.db,
    );
    expect(rows).toEqual([{ state: 'due' }]);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createDraft, raise } from '#tests/support/alerts.ts';
import { registerUser, type TestUser } from '#tests/support/people.ts';
import { SECRET_KEY, start, type TestProduct } from '#tests/support/start.ts';
import { createWebhook, type Receiver, startReceiver } from '#tests/support/webhook-receiver.ts';

const ALERTS = 120;
const KILLS = 2;
/** Webhook deliveries per claim. */
const BATCH = 50;
/** Longer than the lease of a claim. */
const LOAN_MS = 3 * 60_000;
const ENV = { WEBHOOK_ALLOW_LOOPBACK: '1' };

let s: TestProduct;
let receiver: Receiver;
let ann: TestUser;

beforeAll(async () => {
  receiver = await startReceiver();
  s = await start({ at: new Date(), env: ENV });
  ann = await registerUser(s, 'ann', 'premium');
  const silent = { email: false, push: false, telegram: false };
  await ann.put('/api/profile', { email: ann.email, notifications: silent });
  await createWebhook(ann, { url: `${receiver.url}/slow` });
}, 120_000);
afterAll(async () => {
  await s.stop();
  await receiver.close();
});

/** Delivers in a separate process and kills it once the receiver has received `calls` more. */
async function killedAfter(calls: number): Promise<void> {
  const before = receiver.calls.length;
  const env = { ...process.env, ...s.sandbox.urls, ...ENV, DATA_MODE: 'live', SECRET_KEY };
  const child = spawn(process.execPath, ['tests/support/deliver-process.ts', JSON.stringify(s.connection)], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const gone = once(child, 'exit');
  await expect
    .poll(() => receiver.calls.length, { timeout: 60_000, interval: 5 })
    .toBeGreaterThanOrEqual(before + calls);
  child.kill('SIGKILL');
  await gone;
}

const rows = () =>
  s.product.market.ctx.db.selectFrom('notification_deliveries').select(['id', 'state']).where('user_id', '=', ann.id);

test('killed mid-batch: nothing is lost, and at most that batch is sent twice', async () => {
  const own = { userId: ann.id, ruleId: 1 };
  await raise(
    s,
    Array.from({ length: ALERTS }, (_, i) => createDraft(`alert ${i}`, { own })),
  );
  for (let kill = 0; kill < KILLS; kill++) await killedAfter(10);
  s.advance(LOAN_MS);
  await s.product.notifications.deliver();

  const all = await rows().execute();
  expect(all).toHaveLength(ALERTS);
  expect(all.filter(({ state }) => state !== 'sent')).toEqual([]);
  const heard = receiver.calls.map(({ headers }) => String(headers['meridian-delivery']));
  expect(new Set(heard)).toEqual(new Set(all.map(({ id }) => `dlv_${id}`)));
  expect(heard.length - ALERTS).toBeLessThanOrEqual(KILLS * BATCH);
}, 240_000);

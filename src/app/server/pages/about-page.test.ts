import { afterAll, beforeAll, expect, test } from 'vitest';

import { draftOf, raise } from '#tests/support/alerts.ts';
import { type Person, person } from '#tests/support/people.ts';
import { recording } from '#tests/support/recording-channel.ts';
import { type Started, start } from '#tests/support/start.ts';

const MINUTE_MS = 60_000;

let s: Started;
let ann: Person;
beforeAll(async () => {
  s = await start({ channels: [recording()] });
  ann = await person(s, 'ann', 'pro');
});
afterAll(() => s.stop());

async function deliverAfter(ms: number): Promise<void> {
  await raise(s, [draftOf(`about-${ms}`, { own: { userId: ann.id, ruleId: 1 } })]);
  s.advance(ms);
  await s.product.notifications.deliver();
}
/** 'Email | 1.5 s | 1.5 s | 1.5 s | 1', from the page as it stands. */
async function emailRow(): Promise<string | undefined> {
  await s.product.rebuild();
  const { body } = await s.get('/about');
  expect(body).toContain('How fast alerts are delivered');
  const row = /<tr[^>]*>(<th[^>]*>Email.*?)<\/tr>/.exec(body)?.[1];
  return row?.match(/(?<=>)[^<]+(?=<)/g)?.join(' | ');
}

test('/about shows how fast alerts were delivered, measured anew every ten minutes', async () => {
  await deliverAfter(1500);
  expect(await emailRow()).toBe('Email | not measured yet | 0');
  s.advance(10 * MINUTE_MS);
  expect(await emailRow()).toBe('Email | 1.5 s | 1.5 s | 1.5 s | 1');
  await deliverAfter(300);
  s.advance(9 * MINUTE_MS);
  expect(await emailRow()).toBe('Email | 1.5 s | 1.5 s | 1.5 s | 1');
  s.advance(MINUTE_MS);
  expect(await emailRow()).toBe('Email | 900 ms | 1.4 s | 1.5 s | 2');
});

import { expect } from 'vitest';

import { accountTopic } from '#features/accounts/contract/auth.ts';
import { openReader, type Reader } from '#kernel/live/fixtures/reader.ts';

import type { TestUser } from './people.ts';
import type { TestProduct } from './start.ts';

const POLL_OPTIONS = { timeout: 20_000 };

/**
 * A change of an account closes its streams when the process is notified, so wait for a later frame before opening one.
 */
async function waitForSubscription(s: TestProduct, user: TestUser): Promise<void> {
  const { live, db } = s.product.alerts.ctx;
  const arrived = new Promise<void>((resolve) => {
    const stop = live.on(accountTopic, () => {
      stop();
      resolve();
    });
  });
  await live.publishTo(db, user.id, accountTopic, { changed: ['subscription'] });
  await arrived;
}

/** The subscribed stream of alerts, as an open page has it. */
export async function followAlerts(s: TestProduct, url: string, user: TestUser): Promise<Reader> {
  await waitForSubscription(s, user);
  const { ticket } = (await user.post('/api/stream/ticket')).json<{ ticket: string }>();
  const reader = await openReader(`${url}/api/stream?topics=alerts&ticket=${ticket}`);
  await expect.poll(reader.text, POLL_OPTIONS).toContain('retry: 3000');
  return reader;
}

import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { fileDatabase } from '#tests/support/for-file.ts';

import { type Listener, openListener } from './listener.ts';

const open = fileDatabase();
let admin: Client;
let listener: Listener;
let errors: Error[];

beforeEach(async () => {
  admin = new Client(open.connection);
  admin.on('error', () => undefined);
  await admin.connect();
  errors = [];
  listener = await openListener(open.connection, (error) => errors.push(error));
});
afterEach(async () => {
  await listener.close();
  await admin.end();
});

const soon = { timeout: 5000 };
const say = (channel: string, text: string) => admin.query('select pg_notify($1, $2)', [channel, text]);
const connections = async () =>
  (
    await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'meridian-listen'`,
    )
  ).rows.map(({ pid }) => pid);
const hangUp = async () => {
  for (const pid of await connections()) await admin.query('select pg_terminate_backend($1)', [pid]);
};

async function hear(channel: string) {
  const heard: string[] = [];
  let subscribed = 0;
  const subscription = await listener.listen(
    channel,
    (text) => heard.push(text),
    () => (subscribed += 1),
  );
  return { heard, subscribed: () => subscribed, close: subscription.close };
}

test('each channel receives its own, several listeners of one channel the same, over one connection', async () => {
  const [a, again, b] = [await hear('a'), await hear('a'), await hear('odd "name')];
  await say('a', 'one');
  await say('odd "name', 'two');
  await expect.poll(() => [a.heard, again.heard, b.heard]).toEqual([['one'], ['one'], ['two']]);
  expect(await connections()).toHaveLength(1);
  await a.close();
  await say('a', 'three');
  await expect.poll(() => again.heard).toEqual(['one', 'three']);
  expect(a.heard).toEqual(['one']);
});

test('a channel added during a reconnect receives messages too', async () => {
  const first = await hear('a');
  for (let turn = 0; turn < 5; turn++) {
    const before = first.subscribed();
    await hangUp();
    const joined: Awaited<ReturnType<typeof hear>>[] = [];
    while (first.subscribed() === before) {
      joined.push(await hear(`turn_${turn}_${joined.length}`));
      await sleep(2);
    }
    for (const [i] of joined.entries()) await say(`turn_${turn}_${i}`, 'here');
    await expect.poll(() => joined.filter(({ heard }) => heard.length !== 1), soon).toEqual([]);
  }
}, 20_000);

test('close leaves no connection behind, even during a reconnect', async () => {
  for (let turn = 0; turn < 5; turn++) {
    await hear('a');
    await hangUp();
    await sleep(95 + turn * 5);
    await listener.close();
    await expect.poll(connections, soon).toEqual([]);
    listener = await openListener(open.connection, () => undefined);
  }
});

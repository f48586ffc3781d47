import { threadId } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type BackgroundThread, openBackgroundThread } from './background-thread.ts';

const FAR = new URL('./fixtures/far.ts', import.meta.url).href;
const REST_MS = 300;

let reported: unknown[];
let side: BackgroundThread;
const open = (patienceMs = 20_000) =>
  openBackgroundThread({ onError: (error) => reported.push(error), timeoutMs: patienceMs, restartDelayMs: REST_MS });
const far = <T>(name: string, ...args: unknown[]) => side.call<T>(FAR, name, ...args);
const rested = () => new Promise((resolve) => setTimeout(resolve, REST_MS + 20));

beforeEach(() => {
  reported = [];
  side = open();
});
afterEach(() => side.stop());

describe('a call', () => {
  test('runs in one other thread, and bytes are returned intact', async () => {
    const [one, two] = await Promise.all([far<number>('thread'), far<number>('thread')]);
    expect(one).not.toBe(threadId);
    expect(two).toBe(one);
    const { full, part } = await far<{ full: Uint8Array; part: Uint8Array }>('bytes', 100_000);
    expect(full).toEqual(new Uint8Array(100_000).fill(1));
    expect(Buffer.from(part).toString()).toBe('part of a pool');
  });

  test('that throws reports why, and the thread continues', async () => {
    const before = await far('thread');
    await expect(far('refuse', 'out of range')).rejects.toThrow('out of range');
    expect(await far('thread')).toBe(before);
    expect(reported).toEqual([]);
  });
});

test('a thread that dies: is reported once; its calls run here, as do those during its pause; then another one starts', async () => {
  const before = await far('thread');
  const calls = [far('slow', 50), far('die', 'its last words')];
  expect(await Promise.all(calls)).toEqual([threadId, 'its last words']);
  expect(reported).toEqual([new Error('The background thread ended with 3')]);
  expect(await far('thread')).toBe(threadId);
  await rested();
  const after = await far('thread');
  expect([threadId, before]).not.toContain(after);
});

test('a thread that is not used ends, and the next call starts another; it can be loaded in advance', async () => {
  await side.stop();
  side = openBackgroundThread({ onError: (error) => reported.push(error), idleMs: REST_MS / 2 });
  side.load(FAR);
  const before = await far<number>('thread');
  expect(before).not.toBe(threadId);
  await rested();
  const after = await far<number>('thread');
  expect([threadId, before]).not.toContain(after);
  expect(reported).toEqual([]);
});

test('a call that never ends fails, is reported and ends the thread; the others run here', async () => {
  await side.stop();
  side = open(1_500);
  await far('thread');
  const stuck = far('hang');
  const behind = far('slow', 1);
  await expect(stuck).rejects.toThrow('hang has not ended in 1500 ms');
  expect(await behind).toBe(threadId);
  expect(reported).toHaveLength(1);
  await rested();
  expect(await far('thread')).not.toBe(threadId);
});

test('stopping lets calls in progress finish; later ones run here', async () => {
  const before = await far('thread');
  const last = far('slow', 100);
  await side.stop();
  expect(await last).toBe(before);
  expect(await far('thread')).toBe(threadId);
  expect(reported).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { type LyingNode, openLyingNode } from '#tests/support/lying-node.ts';
import { openSimulatedSolana, type SolanaWorld } from '#tests/support/solana-world.ts';
import { solanaRail, WatchedRail } from '#tests/support/watched-rail.ts';

const DUE = 29_990_000n;
const FINAL_SLOTS = 40;
const DEAD = 'http://127.0.0.1:1/v2/a-key-of-ours';

let world: SolanaWorld;
let node: LyingNode;
let watch: WatchedRail;

beforeAll(async () => {
  world = await openSimulatedSolana();
  node = await openLyingNode(world.url);
});
afterAll(async () => {
  await node.close();
  await world.close();
});
beforeEach(async () => {
  node.lies = {};
  watch = new WatchedRail(solanaRail(node.url, world.wallet));
  await world.tick(FINAL_SLOTS);
  await watch.look();
});

const on = (...urls: string[]) => solanaRail(urls.join(','), world.wallet);

async function paid(): Promise<string> {
  const tx = await world.pay({ units: DUE, references: [await watch.open()] });
  await world.tick(3);
  return tx;
}

test('if one node does not respond the next is queried, and addresses with keys stay hidden', async () => {
  await paid();
  expect(await watch.look(on(DEAD, world.url))).toBe(1);
  const failure = await watch.look(on(DEAD)).catch((error: unknown) => String(error));
  expect(failure).toMatch(/No Solana node is readable: 127\.0\.0\.1:1: /);
  expect(failure).not.toContain('a-key-of-ours');
});

test('a node of another network is never trusted', async () => {
  await paid();
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  node.lies = { answer: (method, result) => (method === 'getGenesisHash' ? devnet : result) };
  await expect(watch.look()).rejects.toThrow(`This is not Solana mainnet: its first block is ${devnet}`);
  expect(await watch.look(on(node.url, world.url))).toBe(1);
});

test('a node whose list lags its slot is rejected, so nothing is missed', async () => {
  node.lies = { answer: (method, result) => (method === 'getSlot' ? Number(result) + 100 : result) };
  await expect(watch.look()).rejects.toThrow('Minimum context slot has not been reached');
});

test('a node behind the last scan changes nothing', async () => {
  node.lies = { answer: (method, result) => (method === 'getSlot' ? Number(result) - 100 : result) };
  await expect(watch.look()).rejects.toThrow('The node is behind');
});

test('a list without its transactions fails the scan, and the next one finds them', async () => {
  await paid();
  node.lies = { answer: (method, result) => (method === 'getTransaction' ? null : result) };
  await expect(watch.look()).rejects.toThrow('but does not have it');
  node.lies = {};
  expect(await watch.look()).toBe(1);
});

test('data unreadable from one node is read from another, else skipped', async () => {
  const tx = await paid();
  node.lies = { answer: (method, result) => (method === 'getTransaction' ? { slot: 'none' } : result) };
  expect(await watch.look()).toBe(0);
  expect(await watch.look(on(node.url, world.url))).toBe(1);
  expect(watch.of(tx)?.units).toBe(DUE);
});

test('a node that omits a transaction it knows is not trusted', async () => {
  const tx = await paid();
  await watch.look();
  node.lies = { answer: (method, result) => (method === 'getSignaturesForAddress' ? [] : result) };
  await world.tick(FINAL_SLOTS);
  await expect(watch.look()).rejects.toThrow(`The node has ${tx} but does not list it`);
  node.lies = {};
  await watch.look();
  expect(watch.of(tx)?.final).toBe(true);
});

test('a node whose history starts later proves nothing about a dropped transaction', async () => {
  const tx = await paid();
  await watch.look();
  await world.drop(tx);
  await world.tick(FINAL_SLOTS);
  const before = { ...watch.cursor } as NonNullable<typeof watch.cursor>;
  node.lies = { answer: (method, result) => (method === 'getFirstAvailableBlock' ? 10 ** 12 : result) };
  await watch.look();
  expect(watch.of(tx)).toBeDefined();
  expect(watch.lost).toEqual([]);
  await expect(watch.readAgain()).rejects.toThrow('The node’s history starts at slot');
  node.lies = {};
  watch.cursor = before;
  await watch.look();
  expect(watch.lost).toEqual([tx]);
});

test('a node that does not know the mark, or returns the same page again, ends the scan and adds nothing', async () => {
  await paid();
  await world.tick(FINAL_SLOTS);
  await watch.look();
  expect(watch.cursor?.mark).toMatch(/^\w{80,90}:\d+$/);
  const [all, mark] = [watch.deposits.size, watch.cursor?.mark];
  const without = (key: string) => (method: string, params: readonly unknown[]) =>
    method === 'getSignaturesForAddress' ? [params[0], { ...(params[1] as object), [key]: undefined }] : params;
  node.lies = { ask: without('until') };
  await watch.look();
  expect([watch.deposits.size, watch.cursor?.mark]).toEqual([all, mark]);
  await paid();
  node.lies = { ask: without('before') };
  expect(await watch.look()).toBe(1);
});

test('a node that reports the same transaction as finally failed reverts it', async () => {
  const tx = await paid();
  await watch.look();
  await world.tick(FINAL_SLOTS);
  const failed = (status: object | null) => status && { ...status, err: { InstructionError: [0, 'Custom'] } };
  node.lies = {
    answer(method, result) {
      if (method === 'getSignaturesForAddress') return [];
      if (method !== 'getSignatureStatuses') return result;
      return { value: (result as { value: (object | null)[] }).value.map(failed) };
    },
  };
  await watch.look();
  expect(watch.lost).toEqual([tx]);
});

test('data is read once: an interrupted scan resumes where it stopped', async () => {
  await paid();
  await paid();
  let left = 1;
  node.lies = { answer: (method, result) => (method === 'getTransaction' && left-- < 1 ? null : result) };
  await expect(watch.look()).rejects.toThrow('does not have it');
  node.lies = {};
  node.calls.length = 0;
  expect(await watch.look()).toBe(2);
  expect(node.calls.filter((method) => method === 'getTransaction')).toHaveLength(1);
});

test('money shown by only one of two nodes is not accepted, nor reverted on the report of one', async () => {
  const [both, tx] = [on(node.url, world.url), await paid()];
  await watch.look(both);
  const invented = 'an invented transfer'.repeat(4);
  const more = (rows: object[]) => [{ ...rows[0], signature: invented }, ...rows];
  node.lies = {
    ask: (method, params) => (method === 'getTransaction' && params[0] === invented ? [tx, params[1]] : params),
    answer: (method, result) => (method === 'getSignaturesForAddress' ? more(result as object[]) : result),
  };
  await watch.look(both);
  expect([watch.of(invented), watch.of(tx)?.units]).toEqual([undefined, DUE]);
  await expect(watch.look(on(world.url, node.url))).resolves.toBe(0);

  node.lies = {
    answer(method, result) {
      if (method === 'getSignaturesForAddress') return [];
      return method === 'getSignatureStatuses' ? { value: [null] } : result;
    },
  };
  await world.tick(FINAL_SLOTS);
  await expect(watch.look(both)).rejects.toThrow(`Another node reports different data for ${tx}`);
  node.lies = {};
  await watch.look(both);
  expect([watch.of(tx)?.final, watch.lost]).toEqual([true, []]);
});

test('a failed transaction is not money, even if a node’s list does not mark it', async () => {
  const tx = await paid();
  const failed = (found: { meta: object }) => ({ ...found, meta: { ...found.meta, err: 'AccountInUse' } });
  node.lies = { answer: (method, found) => (method === 'getTransaction' ? failed(found as { meta: object }) : found) };
  expect(await watch.look()).toBe(0);
  expect(watch.of(tx)).toBeUndefined();
});

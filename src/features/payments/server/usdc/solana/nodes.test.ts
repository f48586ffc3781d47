import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSimulatedSolana, type SolanaTestChain } from '#tests/support/solana-test-chain.ts';
import { startTamperingNode, type TamperingNode } from '#tests/support/tampering-node.ts';
import { solanaRail, WatchedRail } from '#tests/support/watched-rail.ts';

const DUE = 29_990_000n;
const FINAL_SLOTS = 40;
const DEAD = 'http://127.0.0.1:1/v2/a-key-of-ours';

let world: SolanaTestChain;
let node: TamperingNode;
let watch: WatchedRail;

beforeAll(async () => {
  world = await openSimulatedSolana();
  node = await startTamperingNode(world.url);
});
afterAll(async () => {
  await node.close();
  await world.close();
});
beforeEach(async () => {
  node.overrides = {};
  watch = new WatchedRail(solanaRail(node.url, world.wallet));
  await world.tick(FINAL_SLOTS);
  await watch.scan();
});

const on = (...urls: string[]) => solanaRail(urls.join(','), world.wallet);

async function paid(): Promise<string> {
  const tx = await world.pay({ units: DUE, references: [await watch.open()] });
  await world.tick(3);
  return tx;
}

test('if one node does not respond the next is queried, and addresses with keys stay hidden', async () => {
  await paid();
  expect(await watch.scan(on(DEAD, world.url))).toBe(1);
  const failure = await watch.scan(on(DEAD)).catch((error: unknown) => String(error));
  expect(failure).toMatch(/No Solana node is readable: 127\.0\.0\.1:1: /);
  expect(failure).not.toContain('a-key-of-ours');
});

test('a node of another network is never trusted', async () => {
  await paid();
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
  node.overrides = { alterResult: (method, result) => (method === 'getGenesisHash' ? devnet : result) };
  await expect(watch.scan()).rejects.toThrow(`This is not Solana mainnet: its first block is ${devnet}`);
  expect(await watch.scan(on(node.url, world.url))).toBe(1);
});

test('a node whose list lags its slot is rejected, so nothing is missed', async () => {
  node.overrides = { alterResult: (method, result) => (method === 'getSlot' ? Number(result) + 100 : result) };
  await expect(watch.scan()).rejects.toThrow('Minimum context slot has not been reached');
});

test('a node behind the last scan changes nothing', async () => {
  node.overrides = { alterResult: (method, result) => (method === 'getSlot' ? Number(result) - 100 : result) };
  await expect(watch.scan()).rejects.toThrow('The node is behind');
});

test('a list without its transactions fails the scan, and the next one finds them', async () => {
  await paid();
  node.overrides = { alterResult: (method, result) => (method === 'getTransaction' ? null : result) };
  await expect(watch.scan()).rejects.toThrow('but does not have it');
  node.overrides = {};
  expect(await watch.scan()).toBe(1);
});

test('data unreadable from one node is read from another, else skipped', async () => {
  const tx = await paid();
  node.overrides = { alterResult: (method, result) => (method === 'getTransaction' ? { slot: 'none' } : result) };
  expect(await watch.scan()).toBe(0);
  expect(await watch.scan(on(node.url, world.url))).toBe(1);
  expect(watch.findDeposit(tx)?.units).toBe(DUE);
});

test('a node that omits a transaction it knows is not trusted', async () => {
  const tx = await paid();
  await watch.scan();
  node.overrides = { alterResult: (method, result) => (method === 'getSignaturesForAddress' ? [] : result) };
  await world.tick(FINAL_SLOTS);
  await expect(watch.scan()).rejects.toThrow(`The node has ${tx} but does not list it`);
  node.overrides = {};
  await watch.scan();
  expect(watch.findDeposit(tx)?.final).toBe(true);
});

test('a node whose history starts later proves nothing about a dropped transaction', async () => {
  const tx = await paid();
  await watch.scan();
  await world.drop(tx);
  await world.tick(FINAL_SLOTS);
  const before = { ...watch.cursor } as NonNullable<typeof watch.cursor>;
  node.overrides = { alterResult: (method, result) => (method === 'getFirstAvailableBlock' ? 10 ** 12 : result) };
  await watch.scan();
  expect(watch.findDeposit(tx)).toBeDefined();
  expect(watch.lostTransfers).toEqual([]);
  await expect(watch.rereadFinal()).rejects.toThrow('The node’s history starts at slot');
  node.overrides = {};
  watch.cursor = before;
  await watch.scan();
  expect(watch.lostTransfers).toEqual([tx]);
});

test('a node that does not know the mark, or returns the same page again, ends the scan and adds nothing', async () => {
  await paid();
  await world.tick(FINAL_SLOTS);
  await watch.scan();
  expect(watch.cursor?.mark).toMatch(/^\w{80,90}:\d+$/);
  const [all, mark] = [watch.deposits.size, watch.cursor?.mark];
  const without = (key: string) => (method: string, params: readonly unknown[]) =>
    method === 'getSignaturesForAddress' ? [params[0], { ...(params[1] as object), [key]: undefined }] : params;
  node.overrides = { alterParams: without('until') };
  await watch.scan();
  expect([watch.deposits.size, watch.cursor?.mark]).toEqual([all, mark]);
  await paid();
  node.overrides = { alterParams: without('before') };
  expect(await watch.scan()).toBe(1);
});

test('a node that reports the same transaction as finally failed reverts it', async () => {
  const tx = await paid();
  await watch.scan();
  await world.tick(FINAL_SLOTS);
  const failed = (status: object | null) => status && { ...status, err: { InstructionError: [0, 'Custom'] } };
  node.overrides = {
    alterResult(method, result) {
      if (method === 'getSignaturesForAddress') return [];
      if (method !== 'getSignatureStatuses') return result;
      return { value: (result as { value: (object | null)[] }).value.map(failed) };
    },
  };
  await watch.scan();
  expect(watch.lostTransfers).toEqual([tx]);
});

test('data is read once: an interrupted scan resumes where it stopped', async () => {
  await paid();
  await paid();
  let left = 1;
  node.overrides = { alterResult: (method, result) => (method === 'getTransaction' && left-- < 1 ? null : result) };
  await expect(watch.scan()).rejects.toThrow('does not have it');
  node.overrides = {};
  node.calls.length = 0;
  expect(await watch.scan()).toBe(2);
  expect(node.calls.filter((method) => method === 'getTransaction')).toHaveLength(1);
});

test('money shown by only one of two nodes is not accepted, nor reverted on the report of one', async () => {
  const [both, tx] = [on(node.url, world.url), await paid()];
  await watch.scan(both);
  const invented = 'an invented transfer'.repeat(4);
  const more = (rows: object[]) => [{ ...rows[0], signature: invented }, ...rows];
  node.overrides = {
    alterParams: (method, params) => (method === 'getTransaction' && params[0] === invented ? [tx, params[1]] : params),
    alterResult: (method, result) => (method === 'getSignaturesForAddress' ? more(result as object[]) : result),
  };
  await watch.scan(both);
  expect([watch.findDeposit(invented), watch.findDeposit(tx)?.units]).toEqual([undefined, DUE]);
  await expect(watch.scan(on(world.url, node.url))).resolves.toBe(0);

  node.overrides = {
    alterResult(method, result) {
      if (method === 'getSignaturesForAddress') return [];
      return method === 'getSignatureStatuses' ? { value: [null] } : result;
    },
  };
  await world.tick(FINAL_SLOTS);
  await expect(watch.scan(both)).rejects.toThrow(`Another node reports different data for ${tx}`);
  node.overrides = {};
  await watch.scan(both);
  expect([watch.findDeposit(tx)?.final, watch.lostTransfers]).toEqual([true, []]);
});

test('a failed transaction is not money, even if a node’s list does not mark it', async () => {
  const tx = await paid();
  const failed = (found: { meta: object }) => ({ ...found, meta: { ...found.meta, err: 'AccountInUse' } });
  node.overrides = {
    alterResult: (method, found) => (method === 'getTransaction' ? failed(found as { meta: object }) : found),
  };
  expect(await watch.scan()).toBe(0);
  expect(watch.findDeposit(tx)).toBeUndefined();
});

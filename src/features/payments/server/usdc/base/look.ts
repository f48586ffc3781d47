import { messageOf } from '#kernel/errors.ts';

import type { Known, Rail, Transfer, Window } from '../rail.ts';

import { type Height, type Node, NodeRefusal } from './node.ts';
import { createReader } from './transfers.ts';

export const CHAIN_ID = 8453;
/** Fallback for nodes that report neither: two minutes of blocks for safe, half an hour for final. */
const [SAFE_DEPTH, FINAL_DEPTH] = [60, 900];
/** Newer blocks are always re-read, whatever a node calls final. */
const LEAST_FINAL_DEPTH = 10;
const MAX_BLOCKS = 5_000;
const MIN_BLOCKS = 50;
/** How long a failed node is tried after the others. */
const REST_MS = 60_000;

type Deps = { nodes: readonly Node[]; token: string; now: () => Date; maxBlocks?: number };

/** There is no way to tell which node is right. */
class Disagreement extends Error {}

const placeOf = ({ tx, idx, blockHash }: { tx: string; idx: number; blockHash: string }) => `${tx}:${idx}:${blockHash}`;
const keyOf = ({ tx, idx }: { tx: string; idx: number }) => `${tx}:${idx}`;
const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** Reads Base. A look uses one node throughout, because the views of two nodes may not be consistent. */
export function createLook({ nodes, token, now, maxBlocks = MAX_BLOCKS }: Deps): Pick<Rail, 'look' | 'readAll'> {
  const failedAt = new Map<Node, number>();
  const readTransfers = createReader();
  /** Blocks per look: fewer after a failure, since the range may have been too large. */
  let span = maxBlocks;

  const isRested = (node: Node) => now().getTime() - (failedAt.get(node) ?? Number.NEGATIVE_INFINITY) >= REST_MS;
  const inOrder = () => [...nodes.filter(isRested), ...nodes.filter((node) => !isRested(node))];

  async function onFirst<T>(work: (node: Node) => Promise<T>, signal: AbortSignal): Promise<T> {
    const failures: string[] = [];
    for (const node of inOrder()) {
      try {
        const result = await work(node);
        failedAt.delete(node);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Disagreement) throw error;
        failedAt.set(node, now().getTime());
        failures.push(messageOf(error));
      }
    }
    throw new Error(`Cannot read Base: ${failures.join('. ')}`);
  }

  async function expectBase(node: Node, signal: AbortSignal): Promise<void> {
    const id = await node.chainId(signal);
    if (id !== CHAIN_ID) throw new Error(`${node.name} is a node of network ${id}, not of Base (${CHAIN_ID})`);
  }

  async function heightOf(node: Node, tag: Height, fallback: number, signal: AbortSignal): Promise<number> {
    try {
      return (await node.block(tag, signal))?.number ?? fallback;
    } catch (error) {
      if (error instanceof NodeRefusal) return fallback;
      throw error;
    }
  }

  /** Hashes at this height from the other nodes that respond; nodes resting after a failure are skipped. */
  async function othersAt(height: number, but: Node, signal: AbortSignal): Promise<string[]> {
    const ask = async (node: Node) => {
      await expectBase(node, signal);
      return (await node.block(height, signal))?.hash;
    };
    const asked = nodes.filter((node) => node !== but && isRested(node)).map(ask);
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
  }

  /** New money counts, and blocks become final, only when no other node shows a different block at the same height. */
  async function expectAgreement(node: Node, hashes: ReadonlyMap<number, string>, signal: AbortSignal) {
    for (const [height, hash] of hashes)
      if ((await othersAt(height, node, signal)).some((other) => other !== hash))
        throw new Disagreement(`Base nodes disagree on block ${height}. Deposits are on hold until they agree`);
  }

  /** Deposits whose block is gone: its height has another block, and no other node still has it. */
  async function lostOf(node: Node, missing: Known['deposits'], signal: AbortSignal): Promise<Set<string>> {
    const lost = new Set<string>();
    for (const deposit of missing) {
      const block = await node.block(deposit.block, signal);
      if (!block || block.hash === deposit.blockHash) continue;
      if ((await othersAt(deposit.block, node, signal)).includes(deposit.blockHash)) continue;
      lost.add(keyOf(deposit));
    }
    return lost;
  }

  async function lookAt(node: Node, known: Known, signal: AbortSignal): Promise<Window> {
    await expectBase(node, signal);
    const newest = await node.block('latest', signal);
    if (!newest) throw new Error(`${node.name} has no blocks`);
    const scanned = known.cursor?.scanned ?? Math.max(0, newest.number - FINAL_DEPTH);
    if (newest.number < scanned)
      throw new Error(`${node.name} is behind: at block ${newest.number}, finalized up to ${scanned}`);
    const finalized = await heightOf(node, 'finalized', newest.number - FINAL_DEPTH, signal);
    const safe = await heightOf(node, 'safe', newest.number - SAFE_DEPTH, signal);
    // Only final blocks are caught up in pieces: new blocks are always seen.
    const isFar = finalized - scanned > span;
    const [from, head] = [scanned + 1, isFar ? scanned + span : newest.number];
    const final = within(Math.min(finalized, newest.number - LEAST_FINAL_DEPTH), scanned, head);

    const transfers = await readTransfers(node, { from, to: head, routes: known.routes, token }, signal);
    const found = new Set(transfers.map(keyOf));
    const missing = known.deposits.filter(
      (deposit) => deposit.block >= from && deposit.block <= head && !found.has(keyOf(deposit)),
    );
    const lost = await lostOf(node, missing, signal);
    const old = new Set(known.deposits.map(placeOf));
    const fresh = transfers.filter((each) => each.token === token && !old.has(placeOf(each)));
    const heights = new Map(fresh.map(({ block, blockHash }) => [block, blockHash]));
    const last = final > scanned ? await node.block(final, signal) : null;
    if (last) heights.set(final, last.hash);
    await expectAgreement(node, heights, signal);
    if ((await node.block(newest.number, signal))?.hash !== newest.hash)
      throw new Error(`${node.name} reorganized while being read`);
    return {
      network: 'base',
      from,
      head,
      final,
      safe: within(Math.max(safe, final), scanned, head),
      transfers,
      isLost: (deposit) => lost.has(keyOf(deposit)),
    };
  }

  async function readAllAt(node: Node, known: Parameters<Rail['readAll']>[0], signal: AbortSignal) {
    const { routes, from, upTo } = known;
    await expectBase(node, signal);
    if (!(await node.block(upTo, signal))) throw new Error(`${node.name} does not have block ${upTo}`);
    const all: Transfer[] = [];
    for (let start = from; start <= upTo; start += maxBlocks) {
      const to = Math.min(upTo, start + maxBlocks - 1);
      all.push(...(await readTransfers(node, { from: start, to, routes, token }, signal)));
    }
    return all;
  }

  return {
    async look(known, signal) {
      try {
        const window = await onFirst((node) => lookAt(node, known, signal), signal);
        span = Math.min(maxBlocks, span * 2);
        return window;
      } catch (error) {
        span = Math.max(MIN_BLOCKS, Math.floor(span / 4));
        throw error;
      }
    },
    readAll: (known, signal) => onFirst((node) => readAllAt(node, known, signal), signal),
  };
}

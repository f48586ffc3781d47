import { errorMessage } from '#kernel/errors.ts';

import type { Known, Rail, Transfer, Window } from '../rail.ts';

import { type Height, type Node, NodeRejectedError } from './node.ts';
import { createReader } from './transfers.ts';

export const CHAIN_ID = 8453;
/** Fallback for nodes that report neither: two minutes of blocks for safe, half an hour for final. */
const [SAFE_DEPTH, FINAL_DEPTH] = [60, 900];
/** Newer blocks are always re-read, whatever a node calls final. */
const MIN_FINAL_DEPTH = 10;
const MAX_BLOCKS = 5_000;
const MIN_BLOCKS = 50;
/** How long a failed node is tried after the others. */
const NODE_COOLDOWN_MS = 60_000;

type Deps = { nodes: readonly Node[]; token: string; now: () => Date; maxBlocks?: number };

/** There is no way to tell which node is right. */
class NodeDisagreementError extends Error {}

const blockKey = ({ tx, idx, blockHash }: { tx: string; idx: number; blockHash: string }) =>
  `${tx}:${idx}:${blockHash}`;
const transferKey = ({ tx, idx }: { tx: string; idx: number }) => `${tx}:${idx}`;
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** Reads Base. A look uses one node throughout, because the views of two nodes may not be consistent. */
export function createScanner({ nodes, token, now, maxBlocks = MAX_BLOCKS }: Deps): Pick<Rail, 'scan' | 'readAll'> {
  const failedAt = new Map<Node, number>();
  const readTransfers = createReader();
  /** Blocks per look: fewer after a failure, since the range may have been too large. */
  let span = maxBlocks;

  const isAvailable = (node: Node) =>
    now().getTime() - (failedAt.get(node) ?? Number.NEGATIVE_INFINITY) >= NODE_COOLDOWN_MS;
  const orderedNodes = () => [...nodes.filter(isAvailable), ...nodes.filter((node) => !isAvailable(node))];

  async function withFirstNode<T>(work: (node: Node) => Promise<T>, signal: AbortSignal): Promise<T> {
    const failures: string[] = [];
    for (const node of orderedNodes()) {
      try {
        const result = await work(node);
        failedAt.delete(node);
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NodeDisagreementError) throw error;
        failedAt.set(node, now().getTime());
        failures.push(errorMessage(error));
      }
    }
    throw new Error(`Cannot read Base: ${failures.join('. ')}`);
  }

  async function assertBaseNetwork(node: Node, signal: AbortSignal): Promise<void> {
    const id = await node.chainId(signal);
    if (id !== CHAIN_ID) throw new Error(`${node.name} is a node of network ${id}, not of Base (${CHAIN_ID})`);
  }

  async function readHeight(node: Node, tag: Height, fallback: number, signal: AbortSignal): Promise<number> {
    try {
      return (await node.block(tag, signal))?.number ?? fallback;
    } catch (error) {
      if (error instanceof NodeRejectedError) return fallback;
      throw error;
    }
  }

  /** Hashes at this height from the other nodes that respond; nodes resting after a failure are skipped. */
  async function readOtherHashes(height: number, but: Node, signal: AbortSignal): Promise<string[]> {
    const ask = async (node: Node) => {
      await assertBaseNetwork(node, signal);
      return (await node.block(height, signal))?.hash;
    };
    const replies = nodes.filter((node) => node !== but && isAvailable(node)).map(ask);
    const answers = await Promise.allSettled(replies);
    return answers.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
  }

  /** New money counts, and blocks become final, only when no other node shows a different block at the same height. */
  async function assertAgreement(node: Node, hashes: ReadonlyMap<number, string>, signal: AbortSignal) {
    for (const [height, hash] of hashes)
      if ((await readOtherHashes(height, node, signal)).some((other) => other !== hash))
        throw new NodeDisagreementError(
          `Base nodes disagree on block ${height}. Deposits are on hold until they agree`,
        );
  }

  /** Deposits whose block is gone: its height has another block, and no other node still has it. */
  async function findLost(node: Node, missing: Known['deposits'], signal: AbortSignal): Promise<Set<string>> {
    const lost = new Set<string>();
    for (const deposit of missing) {
      const block = await node.block(deposit.block, signal);
      if (!block || block.hash === deposit.blockHash) continue;
      if ((await readOtherHashes(deposit.block, node, signal)).includes(deposit.blockHash)) continue;
      lost.add(transferKey(deposit));
    }
    return lost;
  }

  async function scanNode(node: Node, known: Known, signal: AbortSignal): Promise<Window> {
    await assertBaseNetwork(node, signal);
    const newest = await node.block('latest', signal);
    if (!newest) throw new Error(`${node.name} has no blocks`);
    const scanned = known.cursor?.scanned ?? Math.max(0, newest.number - FINAL_DEPTH);
    if (newest.number < scanned)
      throw new Error(`${node.name} is behind: at block ${newest.number}, finalized up to ${scanned}`);
    const finalized = await readHeight(node, 'finalized', newest.number - FINAL_DEPTH, signal);
    const safe = await readHeight(node, 'safe', newest.number - SAFE_DEPTH, signal);
    // Only final blocks are caught up in pieces: new blocks are always seen.
    const isFar = finalized - scanned > span;
    const [from, head] = [scanned + 1, isFar ? scanned + span : newest.number];
    const final = clamp(Math.min(finalized, newest.number - MIN_FINAL_DEPTH), scanned, head);

    const transfers = await readTransfers(node, { from, to: head, routes: known.routes, token }, signal);
    const found = new Set(transfers.map(transferKey));
    const missing = known.deposits.filter(
      (deposit) => deposit.block >= from && deposit.block <= head && !found.has(transferKey(deposit)),
    );
    const lost = await findLost(node, missing, signal);
    const old = new Set(known.deposits.map(blockKey));
    const fresh = transfers.filter((each) => each.token === token && !old.has(blockKey(each)));
    const heights = new Map(fresh.map(({ block, blockHash }) => [block, blockHash]));
    const last = final > scanned ? await node.block(final, signal) : null;
    if (last) heights.set(final, last.hash);
    await assertAgreement(node, heights, signal);
    if ((await node.block(newest.number, signal))?.hash !== newest.hash)
      throw new Error(`${node.name} reorganized while being read`);
    return {
      network: 'base',
      from,
      head,
      final,
      safe: clamp(Math.max(safe, final), scanned, head),
      transfers,
      isLost: (deposit) => lost.has(transferKey(deposit)),
    };
  }

  async function readAllFromNode(node: Node, known: Parameters<Rail['readAll']>[0], signal: AbortSignal) {
    const { routes, from, upTo } = known;
    await assertBaseNetwork(node, signal);
    if (!(await node.block(upTo, signal))) throw new Error(`${node.name} does not have block ${upTo}`);
    const all: Transfer[] = [];
    for (let start = from; start <= upTo; start += maxBlocks) {
      const to = Math.min(upTo, start + maxBlocks - 1);
      all.push(...(await readTransfers(node, { from: start, to, routes, token }, signal)));
    }
    return all;
  }

  return {
    async scan(known, signal) {
      try {
        const window = await withFirstNode((node) => scanNode(node, known, signal), signal);
        span = Math.min(maxBlocks, span * 2);
        return window;
      } catch (error) {
        span = Math.max(MIN_BLOCKS, Math.floor(span / 4));
        throw error;
      }
    },
    readAll: (known, signal) => withFirstNode((node) => readAllFromNode(node, known, signal), signal),
  };
}

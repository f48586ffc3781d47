import { z } from 'zod/mini';

import type { Cursor, Known, Transfer, Window } from '../rail.ts';
import { type Commitment, getFirstSlot, getSlot, hasFailed, type SolanaNode, statusesOf } from './node.ts';
import {
  type Listed,
  type Read,
  type Reading,
  readAfterAll,
  readTransfers,
  type Source,
  signatureRow,
  type Tried,
} from './transaction.ts';

type Deposit = Known['deposits'][number];

const PAGE = 100;
/** The first look goes back by about an hour of slots of 400 ms. */
const FIRST_SLOTS = 9000;

const signatures = z.array(signatureRow);

type Listing = {
  account: string;
  commitment: Commitment;
  /** Refuses a node that is behind it. */
  minContextSlot: number;
  /** Signatures of later slots are left to the next look. */
  upTo: number;
  /** Slots before are not asked for. */
  from: number;
  until?: string | undefined;
};

/** Everything that touched the account, the newest first, over as many pages as there are. */
async function list(node: SolanaNode, { account, upTo, from, until, ...how }: Listing): Promise<Listed[]> {
  const all: Listed[] = [];
  let before: string | undefined;
  for (;;) {
    const place = { ...(before === undefined ? {} : { before }), ...(until === undefined ? {} : { until }) };
    const options = { ...how, ...place, limit: PAGE };
    const page = await node.call('getSignaturesForAddress', [account, options], signatures);
    all.push(...page.filter((each) => each.slot >= from && each.slot <= upTo));
    // Nodes may hold pages shorter than they are asked for: only an empty one is the end.
    const last = page.at(-1);
    if (!last || last.slot < from || last.signature === before) return all;
    before = last.signature;
  }
}

/**
 * Which of these deposits the chain has dropped. Proof is that a node whose history reaches back to their slot and whose final slot is past
 * it knows nothing of the transaction, or that it is final as a failed one.
 */
async function findLost(node: SolanaNode, missing: readonly Deposit[], final: number): Promise<Deposit[]> {
  const past = missing.filter(({ block }) => block <= final);
  if (past.length === 0) return [];
  const first = await getFirstSlot(node);
  const statuses = await statusesOf(
    node,
    past.map(({ tx }) => tx),
  );
  return past.filter(({ tx, block }, n) => {
    const status = statuses[n];
    if (!status) return first <= block;
    if (!hasFailed(status.err)) throw new Error(`The node has ${tx} but does not list it`);
    return status.confirmationStatus === 'finalized';
  });
}

/** '<signature>:<slot>' of the newest final transaction: slots let a node that does not know the signature be read all the same. */
const markOf = ({ signature, slot }: Listed): string => `${signature}:${slot}`;

function placeOf(cursor: Cursor): { until: string | undefined; from: number } {
  const [until, slot] = cursor.mark?.split(':') ?? [];
  return { until, from: slot === undefined ? cursor.scanned + 1 : Number(slot) };
}

async function firstCursor(node: SolanaNode, final: number): Promise<Cursor> {
  const first = await getFirstSlot(node);
  return { scanned: Math.max(0, first - 1, final - FIRST_SLOTS), mark: null };
}

/** One look at our token account: what came since the newest final transaction that was read before. */
export async function lookAt(
  source: Source,
  reading: Reading,
  known: Known,
  { read, tried }: { read: Read; tried: Tried },
): Promise<{ window: Window; lost: Deposit[] }> {
  const { node } = source;
  const final = await getSlot(node, 'finalized');
  const safe = await getSlot(node, 'confirmed');
  if (final > safe) throw new Error(`The node reports slot ${final} as final and ${safe} as the last confirmed`);
  const cursor = known.cursor ?? (await firstCursor(node, final));
  if (final < cursor.scanned) throw new Error(`The node is behind: slot ${final} after ${cursor.scanned}`);
  const place = placeOf(cursor);
  const listing = { account: reading.account, commitment: 'confirmed', minContextSlot: safe, upTo: safe } as const;
  const listed = await list(node, { ...listing, ...place });
  const { transfers, unreadable } = await readTransfers(source, listed, reading, read);
  const late = await readAfterAll(source, known, reading, tried);
  for (const key of read.keys()) if (Number(key.split(':')[1]) <= final) read.delete(key);
  const there = new Set(transfers.map(({ tx, idx }) => `${tx}:${idx}`));
  const unread = new Set(unreadable.map(({ tx }) => tx));
  const missing = known.deposits.filter(({ tx, idx }) => !there.has(`${tx}:${idx}`) && !unread.has(tx));
  const lost = await findLost(node, missing, final);
  const newest = listed.find((each) => each.slot <= final);
  const gone = new Set(lost.map(({ tx, idx }) => `${tx}:${idx}`));
  const window: Window = {
    network: 'solana',
    from: cursor.scanned + 1,
    head: safe,
    safe,
    final,
    transfers: [...transfers, ...late.transfers],
    isLost: ({ tx, idx }) => gone.has(`${tx}:${idx}`),
    mark: newest ? markOf(newest) : cursor.mark,
    // Until its slot is final, the next look tries again.
    unreadable: unreadable.filter(({ block }) => block <= final),
    readAfterAll: late.txs,
  };
  return { window, lost };
}

/** Every final transfer between two slots, both included. */
export async function readBetween(
  source: Source,
  reading: Reading,
  { from, upTo }: { from: number; upTo: number },
): Promise<Transfer[]> {
  const { node } = source;
  const final = await getSlot(node, 'finalized');
  if (final < upTo) throw new Error(`The node is behind: slot ${final} of ${upTo}`);
  const first = await getFirstSlot(node);
  if (first > from) throw new Error(`The node’s history starts at slot ${first}, after ${from}`);
  const { account } = reading;
  const listed = await list(node, { account, commitment: 'finalized', minContextSlot: final, upTo, from });
  return (await readTransfers(source, listed, reading, new Map())).transfers;
}

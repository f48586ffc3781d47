import { z } from 'zod/mini';
import { isLoopback } from '#kernel/http/loopback.ts';
import { fromBase58, toBase58 } from '#shared/base58.ts';
import { type Units, unitsToUsd } from '#shared/money.ts';
import type { UsdcDeps } from './context.ts';
import type { Cursor, Known, Rail, Transfer, Window } from './rail.ts';
import {
  type Commitment,
  callNode,
  getFirstSlot,
  getSlot,
  hasFailed,
  readStatuses,
  type SolanaNode,
  type Status,
  withNode,
} from './solana/node.ts';
import {
  type Listed,
  type Read,
  type Reading,
  readAfterAll,
  readTransfers,
  type Source,
  signatureRow,
  type Tried,
} from './solana/transaction.ts';

type Deposit = Known['deposits'][number];

const PAGE = 100;
/** The first look goes back about an hour, in slots of 400 ms. */
const FIRST_SLOTS = 9000;

const signatures = z.array(signatureRow);

type Listing = {
  account: string;
  commitment: Commitment;
  /** Makes nodes that are behind it refuse. */
  minContextSlot: number;
  /** Signatures of later slots are left to the next look. */
  upTo: number;
  /** Earlier slots are not requested. */
  from: number;
  until?: string | undefined;
};

/** Everything that touched the account, newest first, across all pages. */
async function list(node: SolanaNode, { account, upTo, from, until, ...how }: Listing): Promise<Listed[]> {
  const all: Listed[] = [];
  let before: string | undefined;
  for (;;) {
    const place = { ...(before === undefined ? {} : { before }), ...(until === undefined ? {} : { until }) };
    const options = { ...how, ...place, limit: PAGE };
    const page = await node.call('getSignaturesForAddress', [account, options], signatures);
    all.push(...page.filter((each) => each.slot >= from && each.slot <= upTo));
    // Nodes may return shorter pages than requested: only an empty page is the end.
    const last = page.at(-1);
    if (!last || last.slot < from || last.signature === before) return all;
    before = last.signature;
  }
}

/**
 * Deposits the chain has dropped. Proof: a node whose history covers their slot and whose final slot is past it does
 * not know the transaction, or has it finalised as failed.
 */
async function findLost(node: SolanaNode, missing: readonly Deposit[], final: number): Promise<Deposit[]> {
  const past = missing.filter(({ block }) => block <= final);
  if (past.length === 0) return [];
  const first = await getFirstSlot(node);
  const statuses = await readStatuses(
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

/**
 * '<signature>:<slot>' of the newest final transaction: the slot allows reading a node that does not know the
 * signature.
 */
const formatCursor = ({ signature, slot }: Listed): string => `${signature}:${slot}`;

function parseCursor(cursor: Cursor): { until: string | undefined; from: number } {
  const [until, slot] = cursor.mark?.split(':') ?? [];
  return { until, from: slot === undefined ? cursor.scanned + 1 : Number(slot) };
}

async function firstCursor(node: SolanaNode, final: number): Promise<Cursor> {
  const first = await getFirstSlot(node);
  return { scanned: Math.max(0, first - 1, final - FIRST_SLOTS), mark: null };
}

/** One look at our token account: everything since the newest final transaction read before. */
async function lookAt(
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
  const place = parseCursor(cursor);
  const listing = { account: reading.account, commitment: 'confirmed', minContextSlot: safe, upTo: safe } as const;
  const listed = await list(node, { ...listing, ...place });
  const { transfers, unreadable } = await readTransfers(source, listed, reading, read);
  const late = await readAfterAll(source, known, reading, tried);
  for (const key of read.keys()) if (Number(key.split(':')[1]) <= final) read.delete(key);
  const present = new Set(transfers.map(({ tx, idx }) => `${tx}:${idx}`));
  const unread = new Set(unreadable.map(({ tx }) => tx));
  const missing = known.deposits.filter(({ tx, idx }) => !present.has(`${tx}:${idx}`) && !unread.has(tx));
  const lost = await findLost(node, missing, final);
  const newest = listed.find((each) => each.slot <= final);
  const lostKeys = new Set(lost.map(({ tx, idx }) => `${tx}:${idx}`));
  const window: Window = {
    network: 'solana',
    from: cursor.scanned + 1,
    head: safe,
    safe,
    final,
    transfers: [...transfers, ...late.transfers],
    isLost: ({ tx, idx }) => lostKeys.has(`${tx}:${idx}`),
    mark: newest ? formatCursor(newest) : cursor.mark,
    // The next look retries it until its slot is final.
    unreadable: unreadable.filter(({ block }) => block <= final),
    readAfterAll: late.txs,
  };
  return { window, lost };
}

/** Every final transfer between two slots, both included. */
async function readBetween(
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

type Judged = { transfers: readonly Transfer[]; lost: readonly { tx: string }[] };

const isThere = (status: Status | undefined): boolean => Boolean(status) && !hasFailed(status?.err);

/** A transaction on which this node disagrees. */
async function findDifference(node: SolanaNode, { transfers, lost }: Judged): Promise<string | undefined> {
  const [safe, first] = [await getSlot(node, 'confirmed'), await getFirstSlot(node)];
  const known = transfers.filter(({ block }) => block >= first && block <= safe);
  const claims = [...known.map(({ tx }) => ({ tx, there: true })), ...lost.map(({ tx }) => ({ tx, there: false }))];
  const shown = await readStatuses(
    node,
    claims.map(({ tx }) => tx),
  );
  return claims.find(({ there }, n) => isThere(shown[n]) !== there)?.tx;
}

/**
 * With several nodes configured, no single node decides about deposits or losses: throws when another node that has
 * these slots disagrees. Nodes that do not respond or are behind are ignored.
 */
async function queryOtherNodes(urls: readonly string[], signal: AbortSignal, judged: Judged): Promise<void> {
  if (judged.transfers.length + judged.lost.length === 0) return;
  const silent = () => undefined;
  const replies = urls.map((url) => callNode(url, signal, (node) => findDifference(node, judged)).catch(silent));
  const tx = (await Promise.all(replies)).find((each) => each !== undefined);
  if (tx !== undefined) throw new Error(`Another node reports different data for ${tx}`);
}

/** The account in which a wallet holds a token: every payment to the wallet goes there. */
async function deriveTokenAccount(wallet: string, token: string): Promise<string> {
  // Loaded only by installations that accept USDC on Solana.
  const [{ address }, { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS }] = await Promise.all([
    import('@solana/kit'),
    import('@solana-program/token'),
  ]);
  const seeds = { owner: address(wallet), mint: address(token), tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const [account] = await findAssociatedTokenPda(seeds);
  return account;
}

const KEY_BYTES = 32;
const isKey = (text: string) => fromBase58(text, KEY_BYTES) !== undefined;

type Uri = Parameters<Rail['uriOf']>[0];

/** A Solana Pay transfer request: '29.990037', and spaces as %20. */
function paymentUri(token: string, { address, reference, units, label, message }: Uri): string {
  const query = { amount: unitsToUsd(units), 'spl-token': token, ...(reference ? { reference } : {}), label, message };
  return `solana:${address}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}

/** USDC on Solana: one token account for all payments, identified by a reference key or an exact amount. */
export function openSolana({ config, mode, secrets }: Pick<UsdcDeps, 'config' | 'mode' | 'secrets'>): Rail {
  const [wallet, token, urls] = [config.PAY_SOLANA_WALLET, config.PAY_SOLANA_USDC, config.PAY_SOLANA_RPC_URLS];
  const node = urls[0] ?? '';
  const read: Read = new Map();
  const tried: Tried = new Set();
  let account: Promise<string> | undefined;

  async function toReading(known: {
    routes: readonly string[];
    amounts: ReadonlyMap<Units, string>;
  }): Promise<Reading> {
    if (wallet === undefined) throw new Error('PAY_SOLANA_WALLET is not set');
    account ??= deriveTokenAccount(wallet, token);
    return { account: await account, token, routes: new Set(known.routes), amounts: known.amounts };
  }

  return {
    network: 'solana',
    closed: disabledReason(wallet, token),
    token,
    routeOf({ id }) {
      const key = toBase58(secrets.mac('solana reference', id));
      return { address: wallet ?? '', route: key, reference: key };
    },
    uniqueAmounts: true,
    uriOf: (payment) => paymentUri(token, payment),
    linkOf: (tx) => (mode === 'demo' ? null : `https://solscan.io/tx/${tx}`),
    demoWalletOf: mode === 'demo' && isLoopback(node) ? (payment) => demoWalletUrl(node, token, payment) : null,
    async scan(known, signal) {
      const reading = await toReading(known);
      return withNode(urls, signal, async (node, others) => {
        const { window, lost } = await lookAt({ node, others, signal }, reading, known, { read, tried });
        await queryOtherNodes(others, signal, { transfers: window.transfers, lost });
        return window;
      });
    },
    async readAll(known, signal) {
      const reading = await toReading(known);
      return withNode(urls, signal, (node, others) => readBetween({ node, others, signal }, reading, known));
    },
  };
}

function disabledReason(wallet: string | undefined, token: string): string | null {
  if (wallet === undefined) return 'USDC on Solana is not set up';
  if (!isKey(wallet) || !isKey(token)) return 'USDC on Solana is not set up correctly';
  return null;
}

type DemoPayment = Parameters<NonNullable<Rail['demoWalletOf']>>[0];

function demoWalletUrl(node: string, token: string, { address, reference, units, expiresAt }: DemoPayment): string {
  const url = new URL('/wallet/solana', node);
  const expires = expiresAt.toISOString();
  const filled = { to: address, amount: unitsToUsd(units), token, ...(reference ? { reference } : {}), expires };
  url.search = new URLSearchParams(filled).toString();
  return url.href;
}

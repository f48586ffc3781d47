import { ECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';

import { checksummed } from '#kernel/evm-address.ts';

import type { Transfer } from '../rail.ts';
import contract from './contract/Deposit.json' with { type: 'json' };
import { type Log, type Node, NodeRejectedError } from './node.ts';

const ROUTES_A_CALL = 400;
/** Worthless tokens cost their sender next to nothing, so only this many are stored per address and look. */
const FOREIGN_KEPT = 20;
const AT_ONCE = 8;
const MAX_PLACES = 5_000;

export type LogQuery = { from: number; to: number; routes: readonly string[]; token: string };

async function inBatches<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let i = 0; i < items.length; i += size) done.push(...(await Promise.all(items.slice(i, i + size).map(work))));
  return done;
}

/**
 * Halves the range when the node refuses it. A single block still refused has been flooded with worthless tokens: only
 * USDC is read from it, so that a flood cannot block payments.
 */
async function readLogs(node: Node, wanted: LogQuery, signal: AbortSignal): Promise<Log[]> {
  const { from, to, routes, token } = wanted;
  if (from > to) return [];
  try {
    return await node.transfers({ from, to, routes }, signal);
  } catch (error) {
    if (!(error instanceof NodeRejectedError)) throw error;
    if (from === to) return node.transfers({ from, to, routes, token }, signal);
    const middle = Math.floor((from + to) / 2);
    const first = await readLogs(node, { ...wanted, to: middle }, signal);
    return [...first, ...(await readLogs(node, { ...wanted, from: middle + 1 }, signal))];
  }
}

/** An amount: not an NFT id, which has the same topic, and not zero, which anyone can send on behalf of anyone. */
const isPaymentToken = ({ topics, data, removed }: Log) =>
  topics.length === 3 && data.length === 66 && removed !== true && BigInt(data) > 0n;

function dropSpam(logs: readonly Log[], token: string): Log[] {
  const foreign = new Map<string, number>();
  return logs.filter(({ address, topics }) => {
    if (address === token) return true;
    const route = topics[2] as string;
    const count = (foreign.get(route) ?? 0) + 1;
    foreign.set(route, count);
    return count <= FOREIGN_KEPT;
  });
}

type Place = { at: Date; indexes: readonly number[] };

/** Reads transfers; caches blocks and transactions, since each look reads the same blocks again. */
export function createReader() {
  const places = new Map<string, Place>();

  async function locate(node: Node, { transactionHash, blockHash, blockNumber }: Log, signal: AbortSignal) {
    const key = `${transactionHash}:${blockHash}`;
    const known = places.get(key);
    if (known) return known;
    const [receipt, block] = [await node.receipt(transactionHash, signal), await node.block(blockNumber, signal)];
    if (receipt?.blockHash !== blockHash || receipt.status !== 1 || block?.hash !== blockHash)
      throw new Error(`${node.name} returned inconsistent data for transaction ${transactionHash}`);
    const place = { at: new Date(block.timestamp * 1000), indexes: receipt.logs.map(({ logIndex }) => logIndex) };
    places.set(key, place);
    if (places.size > MAX_PLACES) places.delete(places.keys().next().value as string);
    return place;
  }

  /**
   * Ordered by block and position. `idx` counts within the transaction: a reorganisation would change a position within
   * the block.
   */
  return async function readTransfers(node: Node, wanted: LogQuery, signal: AbortSignal): Promise<Transfer[]> {
    const { from, to, routes } = wanted;
    const token = wanted.token.toLowerCase();
    const given = new Map(routes.map((route) => [`0x${route.slice(2).toLowerCase().padStart(64, '0')}`, route]));
    const chunks = Array.from({ length: Math.ceil(routes.length / ROUTES_A_CALL) }, (_, i) =>
      routes.slice(i * ROUTES_A_CALL, (i + 1) * ROUTES_A_CALL),
    );
    const all = (
      await inBatches(chunks, AT_ONCE, (some) => readLogs(node, { ...wanted, routes: some }, signal))
    ).flat();
    const logs = dropSpam(all.filter(isPaymentToken), token);
    if (logs.some(({ blockNumber, topics }) => blockNumber < from || blockNumber > to || !given.has(topics[2] ?? '')))
      throw new Error(`${node.name} returned data that was not requested`);
    const transfers = await inBatches(logs, AT_ONCE, async (each): Promise<Transfer> => {
      const { at, indexes } = await locate(node, each, signal);
      const idx = indexes.indexOf(each.logIndex);
      if (idx < 0) throw new Error(`${node.name} returned inconsistent data for transaction ${each.transactionHash}`);
      return {
        tx: each.transactionHash,
        idx,
        block: each.blockNumber,
        blockHash: each.blockHash,
        at,
        token: checksummed(each.address),
        sender: checksummed(`0x${(each.topics[1] as string).slice(26)}`),
        route: given.get(each.topics[2] as string) as string,
        units: BigInt(each.data),
      };
    });
    return transfers.toSorted((a, b) => a.block - b.block || (a.tx < b.tx ? -1 : 1) || a.idx - b.idx);
  };
}

/**
 * Deploys contracts to addresses determined by salt and code, on every EVM chain; it was itself deployed without a key.
 */
export const CREATE2_PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** Derives a unique, stable address for each payment. */
export type AddressFor = (payment: { id: string; number: number }) => string | Promise<string>;

const keccak256 = (bytes: Uint8Array): Buffer => Buffer.from(keccak_256(bytes));
const hexToBytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');

/** A payment's contract is deployed by sending `salt ++ code` to the proxy. */
export const depositSalt = (paymentId: string): Buffer => keccak256(Buffer.from(paymentId, 'utf8'));
export const depositCode = (treasury: string): Buffer =>
  Buffer.concat([hexToBytes(contract.bytecode), Buffer.alloc(12), hexToBytes(treasury)]);

/**
 * Addresses of contracts that anyone may deploy once money has arrived and that pay only to the treasury. No key
 * controls them.
 */
export function contractAddresses(treasury: string): AddressFor {
  const [proxy, code] = [hexToBytes(CREATE2_PROXY), keccak256(depositCode(treasury))];
  return ({ id }) => {
    const hash = keccak256(Buffer.concat([Buffer.from([0xff]), proxy, depositSalt(id), code]));
    return checksummed(`0x${hash.subarray(12).toString('hex')}`);
  };
}

/** Addresses of a wallet, from its public key at `m/44'/60'/0'/0`: payment 5 gets address number 5. */
export function walletAddresses(xpub: string): AddressFor {
  let opened: Promise<{ deriveChild: (index: number) => { publicKey: Uint8Array | null } }> | undefined;
  // Loading takes 50 ms and 23 MB that other installations should not pay for.
  const open = async () => {
    const { HDKey } = await import('viem/accounts');
    return HDKey.fromExtendedKey(xpub);
  };
  return async ({ number }) => {
    const { publicKey } = (await (opened ??= open())).deriveChild(number);
    if (!publicKey) throw new Error(`No address number ${number} follows from PAY_BASE_XPUB`);
    const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer;
    return checksummed(`0x${keccak256(point.subarray(1)).subarray(12).toString('hex')}`);
  };
}

import { createHash } from 'node:crypto';
import type { Market } from '#sandbox/market/market.ts';
import { RpcError, type RpcMethods } from './json-rpc.ts';

export const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
/** A worthless token that anyone may send. */
export const WORTHLESS_TOKEN = '0x00000000000000000000000000000000bad70ce7';
/** The wallet that pays in the demo. */
export const DEMO_WALLET = '0x7e57000000000000000000000000000000d43057';

/** The first block; then one every two seconds. */
const [GENESIS, BLOCK_MS] = [Date.UTC(2023, 5, 15, 0, 35, 47), 2_000];

type Movement = { token: string; from: string; to: string; units: bigint };
export type Mined = {
  hash: string;
  from: string;
  to: string;
  input: string;
  block: number;
  movements: readonly Movement[];
};
/** A node's view: its time, and the block from which it is on its own branch. */
export type View = { now: number; fork: number };

export const blockAt = (now: number): number => Math.floor((now - GENESIS) / BLOCK_MS);
export const timeOf = (block: number): number => GENESIS + block * BLOCK_MS;

/** Blocks are derived from the time, and contain the transactions sent before. */
export class BaseLedger {
  readonly #seed: number;
  /** The blocks at which the chain was replaced. */
  readonly #replaced: number[] = [];
  #mined: Mined[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  #digest(...parts: readonly (string | number)[]): string {
    return `0x${createHash('sha256')
      .update([this.#seed, 'base', ...parts].join(':'))
      .digest('hex')}`;
  }

  hashOf(block: number, { fork }: View): string {
    const branches = this.#replaced.flatMap((from, i) => (from <= block ? [i] : []));
    return this.#digest('block', block, branches.join('.'), block >= fork ? 'fork' : '');
  }

  /** Mined in the first block after `at`. */
  send(sent: { from: string; to: string; input?: string; movements: readonly Movement[] }, at: number): Mined {
    this.#count += 1;
    const mined: Mined = { input: '0x', ...sent, hash: this.#digest('tx', this.#count), block: blockAt(at) + 1 };
    this.#mined.push(mined);
    return mined;
  }

  /** Replaces the newest `depth` blocks. */
  reorg(now: number, depth: number, isReplayed: boolean): void {
    const head = blockAt(now);
    const from = head - depth + 1;
    this.#replaced.push(from);
    this.#mined = this.#mined.flatMap((each) => {
      if (each.block < from || each.block > head) return [each];
      return isReplayed ? [{ ...each, block: head + 1 }] : [];
    });
  }

  /** In chain order. */
  minedBetween(from: number, to: number, { now, fork }: View): Mined[] {
    const last = Math.min(to, blockAt(now), fork - 1);
    return this.#mined.filter(({ block }) => block >= from && block <= last).toSorted((a, b) => a.block - b.block);
  }

  find(hash: string, view: View): Mined | undefined {
    return this.minedBetween(0, Number.POSITIVE_INFINITY, view).find((each) => each.hash === hash);
  }

  /** All transactions sent to this address, including pending ones, newest first. */
  sentTo(address: string): Mined[] {
    const isTo = ({ movements }: Mined) => movements.some(({ to }) => to === address.toLowerCase());
    return this.#mined.filter(isTo).toReversed();
  }

  balanceOf(token: string, account: string, view: View): bigint {
    let sum = account === DEMO_WALLET && token === USDC ? 1_000_000_000_000n : 0n;
    for (const { movements } of this.minedBetween(0, Number.POSITIVE_INFINITY, view))
      for (const each of movements) {
        if (each.token !== token) continue;
        if (each.to === account) sum += each.units;
        if (each.from === account) sum -= each.units;
      }
    return sum;
  }
}

const ledgers = new WeakMap<Market, BaseLedger>();

/** The one chain of a simulated market. */
export function baseLedgerOf(market: Market): BaseLedger {
  const ledger = ledgers.get(market) ?? new BaseLedger(market.seed);
  ledgers.set(market, ledger);
  return ledger;
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Selectors of `transfer(address,uint256)`, `balanceOf(address)` and `decimals()`. */
const [TRANSFER_CALL, BALANCE_CALL, DECIMALS_CALL] = ['0xa9059cbb', '0x70a08231', '0x313ce567'];
const [SAFE_DEPTH, FINAL_DEPTH] = [5, 15];
const MAX_RANGE = 2_000;
const MAX_TOPICS = 1_000;
const MAX_LOGS = 10_000;
const ZERO_BLOOM = `0x${'0'.repeat(512)}`;

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const abiWord = (value: string | bigint) =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const lowerText = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
const invalid = (what: string): never => {
  throw new RpcError(-32_602, `invalid params: ${what}`);
};

function parseBlockTag(tag: unknown, { now }: View): number {
  const head = blockAt(now);
  if (tag === 'latest' || tag === 'pending') return head;
  if (tag === 'safe') return head - SAFE_DEPTH;
  if (tag === 'finalized') return head - FINAL_DEPTH;
  if (tag === 'earliest') return 0;
  if (typeof tag === 'string' && /^0x[0-9a-f]+$/i.test(tag)) return Number(tag);
  return invalid('block number');
}

function readLogs(ledger: BaseLedger, view: View, mined: Mined) {
  const inBlock = ledger.minedBetween(mined.block, mined.block, view);
  const before = inBlock.slice(0, inBlock.indexOf(mined)).reduce((sum, { movements }) => sum + movements.length, 0);
  const position = {
    blockNumber: hex(mined.block),
    blockHash: ledger.hashOf(mined.block, view),
    blockTimestamp: hex(timeOf(mined.block) / 1000),
    transactionHash: mined.hash,
    transactionIndex: hex(inBlock.indexOf(mined)),
    removed: false,
  };
  return mined.movements.map(({ token, from, to, units }, i) => ({
    address: token,
    topics: [TRANSFER, abiWord(from), abiWord(to)],
    data: abiWord(units),
    logIndex: hex(before + i),
    ...position,
  }));
}

/** One of these values, or anything when it is null or absent. */
function filterValues(value: unknown): Set<string> | null {
  if (value === null || value === undefined) return null;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MAX_TOPICS) throw new RpcError(-32_602, 'query exceeds max topics');
  return new Set(list.map((each) => (typeof each === 'string' ? each.toLowerCase() : invalid('topics'))));
}

function getLogs(ledger: BaseLedger, view: View, [filter]: readonly unknown[]) {
  if (!isRecord(filter)) return invalid('filter');
  const [from, to] = [
    parseBlockTag(filter['fromBlock'] ?? 'latest', view),
    parseBlockTag(filter['toBlock'] ?? 'latest', view),
  ];
  if (to < from) return invalid('invalid block range');
  if (to - from >= MAX_RANGE) throw new RpcError(-32_614, 'eth_getLogs is limited to a 2,000 range');
  const topics = (Array.isArray(filter['topics']) ? filter['topics'] : []).map(filterValues);
  const addresses = filterValues(filter['address']);
  const rows = ledger
    .minedBetween(from, to, view)
    .flatMap((mined) => readLogs(ledger, view, mined))
    .filter((row) => !addresses || addresses.has(row.address))
    .filter((row) => topics.every((wanted, i) => !wanted || wanted.has(row.topics[i] ?? '')));
  if (rows.length > MAX_LOGS) throw new RpcError(-32_005, 'query returned more than 10000 results');
  return rows;
}

function blockRow(ledger: BaseLedger, view: View, [tag]: readonly unknown[]) {
  const number = parseBlockTag(tag, view);
  if (number > blockAt(view.now)) return null;
  return {
    number: hex(number),
    hash: ledger.hashOf(number, view),
    parentHash: ledger.hashOf(number - 1, view),
    timestamp: hex(timeOf(number) / 1000),
    miner: '0x4200000000000000000000000000000000000011',
    gasLimit: hex(400_000_000),
    gasUsed: hex(0),
    baseFeePerGas: hex(5_000_000),
    difficulty: '0x0',
    extraData: '0x',
    logsBloom: ZERO_BLOOM,
    transactions: ledger.minedBetween(number, number, view).map(({ hash }) => hash),
    uncles: [],
  };
}

function receiptRow(ledger: BaseLedger, view: View, [hash]: readonly unknown[]) {
  const mined = ledger.find(lowerText(hash), view);
  if (!mined) return null;
  const logs = readLogs(ledger, view, mined);
  return {
    transactionHash: mined.hash,
    blockNumber: hex(mined.block),
    blockHash: ledger.hashOf(mined.block, view),
    transactionIndex: hex(ledger.minedBetween(mined.block, mined.block, view).indexOf(mined)),
    from: mined.from,
    to: mined.to,
    contractAddress: null,
    status: '0x1',
    type: '0x2',
    gasUsed: hex(45_000),
    cumulativeGasUsed: hex(45_000),
    effectiveGasPrice: hex(5_000_000),
    logsBloom: ZERO_BLOOM,
    logs,
  };
}

/** A transaction sent by a wallet: a token transfer, or anything else, which moves nothing here. */
function sendTransaction(ledger: BaseLedger, view: View, [transaction]: readonly unknown[]): string {
  if (!isRecord(transaction)) return invalid('transaction');
  const [from, to] = [lowerText(transaction['from']) || DEMO_WALLET, lowerText(transaction['to'])];
  const input = lowerText(transaction['data'] ?? transaction['input']) || '0x';
  if (!/^0x[0-9a-f]{40}$/.test(to)) return invalid('to');
  const parts = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(input);
  const movements = parts
    ? [{ token: to, from, to: `0x${parts[1] as string}`, units: BigInt(`0x${parts[2] as string}`) }]
    : [];
  if (input.startsWith(TRANSFER_CALL) && !parts) throw new RpcError(3, 'execution reverted');
  return ledger.send({ from, to, input, movements }, view.now).hash;
}

function call(ledger: BaseLedger, view: View, [transaction]: readonly unknown[]): string {
  if (!isRecord(transaction)) return invalid('call');
  const [to, data] = [lowerText(transaction['to']), lowerText(transaction['data'] ?? transaction['input'])];
  if (to !== USDC && to !== WORTHLESS_TOKEN) return '0x';
  if (data === DECIMALS_CALL) return abiWord(6n);
  if (!data.startsWith(BALANCE_CALL)) throw new RpcError(3, 'execution reverted');
  return abiWord(ledger.balanceOf(to, `0x${data.slice(-40)}`, view));
}

/** RPC methods for one response. */
export function baseMethods(ledger: BaseLedger, view: View): RpcMethods {
  return {
    eth_chainId: () => hex(8453),
    eth_blockNumber: () => hex(blockAt(view.now)),
    eth_getBlockByNumber: (params) => blockRow(ledger, view, params),
    eth_getLogs: (params) => getLogs(ledger, view, params),
    eth_getTransactionReceipt: (params) => receiptRow(ledger, view, params),
    eth_getCode: ([address]) => (lowerText(address) === USDC ? '0x6080' : '0x'),
    eth_call: (params) => call(ledger, view, params),
    eth_accounts: () => [DEMO_WALLET],
    eth_sendTransaction: (params) => sendTransaction(ledger, view, params),
  };
}

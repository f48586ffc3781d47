import type { Market } from '#sandbox/market/market.ts';
import { type Call, type Provider, type Reply, ReplyError } from '#sandbox/provider.ts';
import {
  type Commitment,
  chainOf,
  headAt,
  type SentTransaction,
  type SolanaChain,
  type TransactionVersion,
  USDC_MINT,
  walletNamed,
} from '#sandbox/solana/chain.ts';
import { unitsToUsd } from '#shared/money.ts';

import { RpcError, type RpcMethods, rpcProvider } from './json-rpc.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const MAX_SIGNATURES = 1000;
const DECIMALS = 6;
/** Balance of the demo wallets before they pay: more than any price. */
const DEMO_BALANCE = 1_000_000_000_000n;

type Options = {
  commitment?: Commitment;
  minContextSlot?: number;
  before?: string;
  until?: string;
  limit?: number;
  maxSupportedTransactionVersion?: number;
};

const toOptions = (value: unknown): Options => value ?? {};
const context = (now: number) => ({ apiVersion: '3.0.0', slot: headAt(now, 'processed') });

function readHead({ commitment = 'finalized', minContextSlot }: Options, now: number): number {
  const head = headAt(now, commitment);
  if (minContextSlot !== undefined && head < minContextSlot)
    throw new RpcError(-32_016, 'Minimum context slot has not been reached');
  return head;
}

const commitmentOf = ({ slot }: SentTransaction, now: number): Commitment => {
  if (slot <= headAt(now, 'finalized')) return 'finalized';
  return slot <= headAt(now, 'confirmed') ? 'confirmed' : 'processed';
};

const secondsOf = ({ at }: SentTransaction): number => Math.floor(at / 1000);

function listSignatures(chain: SolanaChain, [address, config]: readonly unknown[], now: number) {
  const options = toOptions(config);
  const { before, until, limit = MAX_SIGNATURES } = options;
  if (limit < 1 || limit > MAX_SIGNATURES) throw new RpcError(-32_602, `Invalid limit; max ${MAX_SIGNATURES}`);
  let rows = chain
    .upTo(readHead(options, now))
    .filter(({ keys, loaded }) => [...keys, ...loaded.writable, ...loaded.readonly].some((key) => key === address));
  const indexOfSignature = (signature: string | undefined) => rows.findIndex((row) => row.signature === signature);
  if (before !== undefined) rows = rows.slice(indexOfSignature(before) + 1);
  if (until !== undefined && indexOfSignature(until) !== -1) rows = rows.slice(0, indexOfSignature(until));
  return rows.slice(0, limit).map((row) => ({
    signature: row.signature,
    slot: row.slot,
    err: row.err,
    memo: null,
    blockTime: secondsOf(row),
    confirmationStatus: commitmentOf(row, now),
  }));
}

function balances(chain: SolanaChain, row: SentTransaction, isAfter: boolean) {
  const accounts = [...row.keys, ...row.loaded.writable, ...row.loaded.readonly];
  const transferred = isAfter && row.err === null ? row.units : 0n;
  const tokenBalance = (account: string, owner: string, units: bigint) => ({
    accountIndex: accounts.indexOf(account),
    mint: row.mint,
    owner,
    programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    uiTokenAmount: { amount: String(units), decimals: DECIMALS, uiAmount: null, uiAmountString: unitsToUsd(units) },
  });
  return [
    tokenBalance(row.source, row.payer, DEMO_BALANCE - transferred),
    tokenBalance(row.destination, row.to, chain.balance(row.destination, row.slot, row) + transferred),
  ];
}

function transaction(chain: SolanaChain, [signature, config]: readonly unknown[], now: number) {
  const options = toOptions(config);
  const row = chain.upTo(readHead(options, now)).find((each) => each.signature === signature);
  if (!row) return null;
  if (row.version !== 'legacy' && row.version > (options.maxSupportedTransactionVersion ?? -1))
    throw new RpcError(
      -32_015,
      `Transaction version (${row.version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${row.version}`,
    );
  return {
    slot: row.slot,
    blockTime: secondsOf(row),
    version: row.version,
    meta: {
      err: row.err,
      fee: 5000,
      preTokenBalances: balances(chain, row, false),
      postTokenBalances: balances(chain, row, true),
      loadedAddresses: row.loaded,
      logMessages: [],
    },
    transaction: { signatures: [row.signature], message: { accountKeys: row.keys, instructions: [] } },
  };
}

function signatureStatuses(chain: SolanaChain, [signatures]: readonly unknown[], now: number) {
  const rows = chain.upTo(headAt(now, 'processed'));
  const value = (Array.isArray(signatures) ? signatures : []).map((signature) => {
    const row = rows.find((each) => each.signature === signature);
    if (!row) return null;
    const status = commitmentOf(row, now);
    return {
      slot: row.slot,
      confirmations: status === 'finalized' ? null : 1,
      err: row.err,
      confirmationStatus: status,
    };
  });
  return { context: context(now), value };
}

const methodsOf = (chain: SolanaChain): RpcMethods => ({
  getHealth: () => 'ok',
  getGenesisHash: () => MAINNET,
  getFirstAvailableBlock: (_params, now) => chain.firstSlot(now),
  getSlot: ([options], now) => {
    // Fixes the first slot now: a later query for it must not find it ahead of slots that were already final.
    chain.firstSlot(now);
    return readHead(toOptions(options), now);
  },
  getBlockHeight: ([options], now) => readHead(toOptions(options), now),
  getLatestBlockhash: (_params, now) => ({
    context: context(now),
    value: {
      blockhash: walletNamed(`block ${headAt(now, 'processed')}`).address,
      lastValidBlockHeight: headAt(now, 'processed') + 150,
    },
  }),
  getSignaturesForAddress: (params, now) => listSignatures(chain, params, now),
  getTransaction: (params, now) => transaction(chain, params, now),
  getSignatureStatuses: (params, now) => signatureStatuses(chain, params, now),
  getTokenAccountBalance: ([account, options], now) => {
    const units = chain.balance(String(account), readHead(toOptions(options), now));
    return {
      context: context(now),
      value: { amount: String(units), decimals: DECIMALS, uiAmountString: unitsToUsd(units) },
    };
  },
});

type TransferRequest = {
  to?: string;
  units?: string;
  mint?: string;
  references?: string[];
  from?: string;
  version?: TransactionVersion;
  fails?: boolean;
};

/** POST from a wallet: `{ to, units, mint?, references?, from?, version?, fails? }`. */
function pay(chain: SolanaChain, { json, now }: Call): Reply {
  const { to = '', units = '', mint = USDC_MINT, ...rest } = (json ?? {}) as TransferRequest;
  const amount = /^\d{1,20}$/.test(units) ? BigInt(units) : 0n;
  const sent = amount > 0n ? chain.send({ ...rest, to, mint, units: amount, at: now }) : undefined;
  if (!sent) throw new ReplyError({ status: 400, body: { error: 'Give { to: a wallet, units }' } });
  return { status: 201, body: { signature: sent.signature, slot: sent.slot, payer: sent.payer } };
}

/** A Solana node with USDC transfers, plus sandbox endpoints: `/transfers`, `/forks` and `/signatures`, all by POST. */
export function solanaPay(market: Market): Provider {
  const chain = chainOf(market);
  const node = rpcProvider('solana-pay', 'PAY_SOLANA', methodsOf(chain));
  return {
    ...node,
    env: { PAY_SOLANA_RPC_URLS: { scheme: 'http', path: node.base } },
    routes: [
      ...node.routes,
      { path: '/transfers', handle: (call) => pay(chain, call) },
      {
        path: '/forks',
        handle: ({ json, now }) => {
          const { signature = '' } = (json ?? {}) as { signature?: string };
          return { body: { isDropped: chain.drop(signature, now) } };
        },
      },
      {
        path: '/signatures',
        handle: ({ json }) => {
          const { from = 'demo', message = '' } = (json ?? {}) as { from?: string; message?: string };
          const wallet = walletNamed(from);
          return { body: { wallet: wallet.address, signature: wallet.sign(message) } };
        },
      },
    ],
  };
}

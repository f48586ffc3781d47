import { isLoopback } from '#kernel/http/loopback.ts';
import { fromBase58, toBase58 } from '#shared/base58.ts';
import { type Units, usdOf } from '#shared/money.ts';

import type { UsdcDeps } from './context.ts';
import type { Rail, Transfer } from './rail.ts';
import { lookAt, readBetween } from './solana/look.ts';
import {
  askNode,
  getFirstSlot,
  getSlot,
  hasFailed,
  type SolanaNode,
  type Status,
  statusesOf,
  withNode,
} from './solana/node.ts';
import type { Read, Reading, Tried } from './solana/transaction.ts';

type Judged = { transfers: readonly Transfer[]; lost: readonly { tx: string }[] };

const isThere = (status: Status | undefined): boolean => Boolean(status) && !hasFailed(status?.err);

/** A transaction of which this node says otherwise. */
async function findDifference(node: SolanaNode, { transfers, lost }: Judged): Promise<string | undefined> {
  const [safe, first] = [await getSlot(node, 'confirmed'), await getFirstSlot(node)];
  const known = transfers.filter(({ block }) => block >= first && block <= safe);
  const claims = [...known.map(({ tx }) => ({ tx, there: true })), ...lost.map(({ tx }) => ({ tx, there: false }))];
  const shown = await statusesOf(
    node,
    claims.map(({ tx }) => tx),
  );
  return claims.find(({ there }, n) => isThere(shown[n]) !== there)?.tx;
}

/**
 * Money taken in or back is no single node's word where there are several: throws when another one that has these slots says otherwise. Nodes
 * that do not answer, or are behind, say nothing.
 */
async function askOthers(urls: readonly string[], signal: AbortSignal, judged: Judged): Promise<void> {
  if (judged.transfers.length + judged.lost.length === 0) return;
  const silent = () => undefined;
  const asked = urls.map((url) => askNode(url, signal, (node) => findDifference(node, judged)).catch(silent));
  const tx = (await Promise.all(asked)).find((each) => each !== undefined);
  if (tx !== undefined) throw new Error(`Another node reports different data for ${tx}`);
}

/** The account that a wallet holds a token in: everybody who pays the wallet pays there. */
async function tokenAccountOf(wallet: string, token: string): Promise<string> {
  // Only who takes USDC on Solana pays for loading these.
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
function uriOf(token: string, { address, reference, units, label, message }: Uri): string {
  const query = { amount: usdOf(units), 'spl-token': token, ...(reference ? { reference } : {}), label, message };
  return `solana:${address}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}

/** USDC on Solana: one token account for all, and a reference key or an exact amount that tells payments apart. */
export function openSolana({ config, mode, secrets }: Pick<UsdcDeps, 'config' | 'mode' | 'secrets'>): Rail {
  const [wallet, token, urls] = [config.PAY_SOLANA_WALLET, config.PAY_SOLANA_USDC, config.PAY_SOLANA_RPC_URLS];
  const node = urls[0] ?? '';
  const read: Read = new Map();
  const tried: Tried = new Set();
  let account: Promise<string> | undefined;

  async function readingOf(known: {
    routes: readonly string[];
    amounts: ReadonlyMap<Units, string>;
  }): Promise<Reading> {
    if (wallet === undefined) throw new Error('PAY_SOLANA_WALLET is not set');
    account ??= tokenAccountOf(wallet, token);
    return { account: await account, token, routes: new Set(known.routes), amounts: known.amounts };
  }

  return {
    network: 'solana',
    closed: closedBy(wallet, token),
    token,
    routeOf({ id }) {
      const key = toBase58(secrets.mac('solana reference', id));
      return { address: wallet ?? '', route: key, reference: key };
    },
    uniqueAmounts: true,
    uriOf: (payment) => uriOf(token, payment),
    linkOf: (tx) => (mode === 'demo' ? null : `https://solscan.io/tx/${tx}`),
    demoWalletOf: mode === 'demo' && isLoopback(node) ? (payment) => demoWalletOf(node, token, payment) : null,
    async look(known, signal) {
      const reading = await readingOf(known);
      return withNode(urls, signal, async (node, others) => {
        const { window, lost } = await lookAt({ node, others, signal }, reading, known, { read, tried });
        await askOthers(others, signal, { transfers: window.transfers, lost });
        return window;
      });
    },
    async readAll(known, signal) {
      const reading = await readingOf(known);
      return withNode(urls, signal, (node, others) => readBetween({ node, others, signal }, reading, known));
    },
  };
}

function closedBy(wallet: string | undefined, token: string): string | null {
  if (wallet === undefined) return 'USDC on Solana is not set up';
  if (!isKey(wallet) || !isKey(token)) return 'USDC on Solana is not set up correctly';
  return null;
}

type DemoPayment = Parameters<NonNullable<Rail['demoWalletOf']>>[0];

function demoWalletOf(node: string, token: string, { address, reference, units, expiresAt }: DemoPayment): string {
  const url = new URL('/wallet/solana', node);
  const expires = expiresAt.toISOString();
  const filled = { to: address, amount: usdOf(units), token, ...(reference ? { reference } : {}), expires };
  url.search = new URLSearchParams(filled).toString();
  return url.href;
}

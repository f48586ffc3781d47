import { isLoopback } from '#server/platform/http/loopback.ts';
import { fromBase58, toBase58 } from '#shared/base58.ts';
import { type Units, usdOf } from '#shared/money.ts';

import type { UsdcDeps } from './context.ts';
import type { Rail } from './rail.ts';
import { tokenAccountOf } from './solana/account.ts';
import { lookAt, type Read, readBetween } from './solana/look.ts';
import { withNode } from './solana/node.ts';
import { askOthers } from './solana/second-opinion.ts';
import type { Reading } from './solana/transaction.ts';

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
        const { window, lost } = await lookAt(node, reading, known, read);
        await askOthers(others, signal, { transfers: window.transfers, lost });
        return window;
      });
    },
    async readAll(known, signal) {
      const reading = await readingOf(known);
      return withNode(urls, signal, (node) => readBetween(node, reading, known));
    },
  };
}

function closedBy(wallet: string | undefined, token: string): string | null {
  if (wallet === undefined) return 'USDC on Solana is not set up on this installation';
  if (!isKey(wallet) || !isKey(token)) return 'USDC on Solana is not set up rightly on this installation';
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

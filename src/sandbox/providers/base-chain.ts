import type { FaultRule } from '#sandbox/faults.ts';
import type { Market } from '#sandbox/market/market.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import {
  htmlReply,
  LATE_MS,
  readAction,
  readOrder,
  redirectReply,
  unitsFor,
  type WalletOrder,
  type WalletTransfer,
  walletPage,
} from '#sandbox/wallet-page.ts';
import { unitsToUsd } from '#shared/money.ts';
import {
  type BaseLedger,
  baseLedgerOf,
  baseMethods,
  DEMO_WALLET,
  type Mined,
  timeOf,
  USDC,
  type View,
  WORTHLESS_TOKEN,
} from './base-methods.ts';
import { rpcProvider } from './json-rpc.ts';

const SLOT = 2_000;

/** Base nodes: `/base` is one, `/base/NAME` are others, each with its own faults. */
export function baseChain(market: Market): Provider {
  const ledger = baseLedgerOf(market);
  const applied = new WeakSet<FaultRule>();

  function viewFor({ now, faults }: Call): View {
    const view: View = { now, fork: Number.POSITIVE_INFINITY };
    for (const rule of faults) {
      if (rule.kind === 'lag') view.now -= rule.blocks * SLOT;
      if (rule.kind === 'fork') view.fork = rule.from;
      if (rule.kind !== 'reorg' || applied.has(rule)) continue;
      applied.add(rule);
      ledger.reorg(now, rule.depth, rule.again === true);
    }
    return view;
  }
  const nodeFor = (call: Call) => rpcProvider('base', 'BASE', baseMethods(ledger, viewFor(call)));
  const handle = (call: Call): Reply | Promise<Reply> =>
    nodeFor(call).routes[0]?.handle(call) ?? { status: 404, body: 'Not Found' };

  return {
    ...rpcProvider('base', 'BASE', {}),
    env: { PAY_BASE_RPC_URLS: { scheme: 'http', path: '/base' } },
    routes: [
      { path: '/', handle },
      { path: '/:node', handle },
    ],
  };
}

const describeAmount = ({ token, units }: { token: string; units: bigint }) =>
  `${unitsToUsd(units)} ${token === USDC ? 'USDC' : 'of a worthless token'}`;

const transfersTo = (ledger: BaseLedger, to: string, now: number): WalletTransfer[] =>
  ledger.sentTo(to).map(({ hash, block, movements }: Mined) => ({
    tx: hash,
    what: movements.map(describeAmount).join(', '),
    at: timeOf(block),
    isMined: timeOf(block) <= now,
  }));

/** The demo wallet: GET shows it, POST sends. */
export function baseWallet(market: Market): Provider {
  const ledger = baseLedgerOf(market);

  function send(order: WalletOrder, call: Call): boolean {
    const act = readAction(call);
    if (!act) return false;
    const token = act === 'worthless' ? WORTHLESS_TOKEN : USDC;
    const late = act === 'late' ? (order.expires?.getTime() ?? call.now) + LATE_MS : call.now;
    const to = order.to.toLowerCase();
    const movement = { token, from: DEMO_WALLET, to, units: unitsFor(act, order.amount) };
    ledger.send({ from: DEMO_WALLET, to: token, movements: [movement] }, Math.max(call.now, late));
    return true;
  }

  return {
    id: 'base-wallet',
    base: '/wallet/base',
    env: {},
    routes: [
      {
        path: '/',
        handle(call) {
          const order = readOrder(call);
          if (send(order, call)) return redirectReply('/wallet/base', call.query);
          return htmlReply(
            walletPage({ ...order, network: 'base', transfers: transfersTo(ledger, order.to, call.now) }),
          );
        },
      },
    ],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: 'Too many requests',
    serverError: 'Internal error',
  };
}

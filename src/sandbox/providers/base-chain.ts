import type { FaultRule } from '#sandbox/faults.ts';
import type { Market } from '#sandbox/market/market.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import {
  LATE_MS,
  type WalletOrder,
  type WalletSent,
  walletAct,
  walletOrder,
  walletPage,
  walletReply,
  walletSentReply,
  walletUnits,
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
  WORTHLESS,
} from './base-methods.ts';
import { rpcProvider } from './json-rpc.ts';

const SLOT = 2_000;

/** Base nodes: `/base` is one, `/base/NAME` are others, each with its own faults. */
export function baseChain(market: Market): Provider {
  const ledger = baseLedgerOf(market);
  const done = new WeakSet<FaultRule>();

  function viewOf({ now, faults }: Call): View {
    const view: View = { now, fork: Number.POSITIVE_INFINITY };
    for (const rule of faults) {
      if (rule.kind === 'lag') view.now -= rule.blocks * SLOT;
      if (rule.kind === 'fork') view.fork = rule.from;
      if (rule.kind !== 'reorg' || done.has(rule)) continue;
      done.add(rule);
      ledger.reorganise(now, rule.depth, rule.again === true);
    }
    return view;
  }
  const nodeOf = (call: Call) => rpcProvider('base', 'BASE', baseMethods(ledger, viewOf(call)));
  const handle = (call: Call): Reply | Promise<Reply> =>
    nodeOf(call).routes[0]?.handle(call) ?? { status: 404, body: 'Not Found' };

  return {
    ...rpcProvider('base', 'BASE', {}),
    env: { PAY_BASE_RPC_URLS: { scheme: 'http', path: '/base' } },
    routes: [
      { path: '/', handle },
      { path: '/:node', handle },
    ],
  };
}

const named = ({ token, units }: { token: string; units: bigint }) =>
  `${unitsToUsd(units)} ${token === USDC ? 'USDC' : 'of a worthless token'}`;

const sentOf = (ledger: BaseLedger, to: string, now: number): WalletSent[] =>
  ledger.sentTo(to).map(({ hash, block, movements }: Mined) => ({
    tx: hash,
    what: movements.map(named).join(', '),
    at: timeOf(block),
    isMined: timeOf(block) <= now,
  }));

/** The demo wallet: GET shows it, POST sends. */
export function baseWallet(market: Market): Provider {
  const ledger = baseLedgerOf(market);

  function send(order: WalletOrder, call: Call): boolean {
    const act = walletAct(call);
    if (!act) return false;
    const token = act === 'worthless' ? WORTHLESS : USDC;
    const late = act === 'late' ? (order.expires?.getTime() ?? call.now) + LATE_MS : call.now;
    const to = order.to.toLowerCase();
    const movement = { token, from: DEMO_WALLET, to, units: walletUnits(act, order.amount) };
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
          const order = walletOrder(call);
          if (send(order, call)) return walletSentReply('/wallet/base', call.query);
          return walletReply(walletPage({ ...order, network: 'base', sent: sentOf(ledger, order.to, call.now) }));
        },
      },
    ],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: 'Too many requests',
    serverError: 'Internal error',
  };
}

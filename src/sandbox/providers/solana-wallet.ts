import type { Market } from '#sandbox/market/market.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import { chainOf, headAt, type SentTransaction, USDC_MINT, walletNamed } from '#sandbox/solana/chain.ts';
import {
  LATE_MS,
  type WalletAct,
  type WalletSent,
  walletAct,
  walletOrder,
  walletPage,
  walletReply,
  walletSentReply,
  walletUnits,
} from '#sandbox/wallet-page.ts';
import { unitsToUsd } from '#shared/money.ts';

const PATH = '/wallet/solana';
const WORTHLESS_MINT = walletNamed('a token of no value').address;

const shown = ({ signature, units, mint, at, slot }: SentTransaction, now: number): WalletSent => ({
  tx: signature,
  what: `${unitsToUsd(units)} ${mint === USDC_MINT ? 'USDC' : 'of no value'}`,
  at,
  isMined: slot <= headAt(now, 'confirmed'),
});

/** A Solana wallet as a page: `?to&amount&reference&expires&next`. */
export function solanaWallet(market: Market): Provider {
  const chain = chainOf(market);

  function send(act: WalletAct, call: Call): Reply {
    const { to, amount, reference, expires } = walletOrder(call);
    const isLate = act === 'late' && expires !== null;
    const sent = chain.send({
      to,
      units: walletUnits(act, amount),
      at: isLate ? Math.max(call.now, expires.getTime() + LATE_MS) : call.now,
      references: reference && act !== 'copied' ? [reference] : [],
      note: reference,
      ...(act === 'worthless' ? { mint: WORTHLESS_MINT } : {}),
    });
    if (!sent) return { status: 400, body: 'This wallet cannot read the address: `to` is no Solana wallet' };
    return walletSentReply(PATH, call.query);
  }

  function handle(call: Call): Reply {
    const act = walletAct(call);
    if (act) return send(act, call);
    const order = walletOrder(call);
    const sent = chain
      .sentTo(order.to)
      .filter(({ note }) => note === order.reference)
      .map((each) => shown(each, call.now));
    return walletReply(walletPage({ ...order, network: 'solana', sent }));
  }

  return {
    id: 'solana-wallet',
    base: PATH,
    env: {},
    routes: [{ path: '/', handle }],
    notFound: { status: 404, body: 'Not Found' },
    rateLimited: 'Too Many Requests',
    serverError: 'Service Unavailable',
  };
}

import type { Market } from '#sandbox/market/market.ts';
import type { Call, Provider, Reply } from '#sandbox/provider.ts';
import { chainOf, headAt, type SentTransaction, USDC_MINT, walletNamed } from '#sandbox/solana/chain.ts';
import {
  htmlReply,
  LATE_MS,
  readAction,
  readOrder,
  redirectReply,
  unitsFor,
  type WalletAction,
  type WalletTransfer,
  walletPage,
} from '#sandbox/wallet-page.ts';
import { unitsToUsd } from '#shared/money.ts';

const PATH = '/wallet/solana';
const WORTHLESS_MINT = walletNamed('a token of no value').address;

const toWalletTransfer = ({ signature, units, mint, at, slot }: SentTransaction, now: number): WalletTransfer => ({
  tx: signature,
  what: `${unitsToUsd(units)} ${mint === USDC_MINT ? 'USDC' : 'of no value'}`,
  at,
  isMined: slot <= headAt(now, 'confirmed'),
});

/** A Solana wallet as a page: `?to&amount&reference&expires&next`. */
export function solanaWallet(market: Market): Provider {
  const chain = chainOf(market);

  function submit(act: WalletAction, call: Call): Reply {
    const { to, amount, reference, expires } = readOrder(call);
    const isLate = act === 'late' && expires !== null;
    const sent = chain.send({
      to,
      units: unitsFor(act, amount),
      at: isLate ? Math.max(call.now, expires.getTime() + LATE_MS) : call.now,
      references: reference && act !== 'copied' ? [reference] : [],
      note: reference,
      ...(act === 'worthless' ? { mint: WORTHLESS_MINT } : {}),
    });
    if (!sent) return { status: 400, body: 'This wallet cannot read the address: `to` is no Solana wallet' };
    return redirectReply(PATH, call.query);
  }

  function handle(call: Call): Reply {
    const act = readAction(call);
    if (act) return submit(act, call);
    const order = readOrder(call);
    const transfers = chain
      .sentTo(order.to)
      .filter(({ note }) => note === order.reference)
      .map((each) => toWalletTransfer(each, call.now));
    return htmlReply(walletPage({ ...order, network: 'solana', transfers }));
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

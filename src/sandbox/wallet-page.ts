import { BRAND } from '#shared/brand.ts';
import { type Units, unitsToUsd, usdToUnits } from '#shared/money.ts';

import { type Call, type Reply, ReplyError } from './provider.ts';

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const STYLE = [
  `body{margin:0;background:#f4f6f8;color:#12161d;font:16px/24px ${FONT};color-scheme:light dark}`,
  'header{max-width:520px;margin:0 auto;padding:28px 16px 14px;font-weight:700}header span{font-weight:400;color:#5b6673}',
  'main{box-sizing:border-box;width:calc(100% - 24px);max-width:520px;margin:0 auto 40px;padding:24px;background:#fff;border:1px solid #d9dfe5;border-radius:12px}',
  'h1{margin:0 0 4px;font-size:24px;line-height:32px}h2{margin:24px 0 8px;font-size:16px}p{margin:0 0 12px;color:#4b5563}',
  'dl{margin:16px 0;display:grid;grid-template-columns:auto 1fr;gap:6px 16px}dt{color:#5b6673}dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}',
  `form{display:grid;gap:8px}button{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;padding:11px 16px;border:1px solid #c3cbd4;border-radius:8px;background:transparent;color:inherit;font:600 16px/24px ${FONT};text-align:left;cursor:pointer}button span{font-weight:400;color:#5b6673}`,
  'button.first{background:#12161d;border-color:#12161d;color:#fff}button.first span{color:#d9dfe5}',
  'button:focus-visible,a:focus-visible{outline:2px solid #1f6feb;outline-offset:2px}a{color:#0b5cc4}ol{margin:0;padding:0;list-style:none}li{padding:8px 0;border-top:1px solid #d9dfe5;overflow-wrap:anywhere}code{font-size:13px}',
  '@media (prefers-color-scheme:dark){body{background:#0a0d12;color:#f1f4f7}main{background:#12161d;border-color:#262d38}p,dt,header span,button span{color:#b9c1cc}button{border-color:#3a4350}button.first{background:#f1f4f7;border-color:#f1f4f7;color:#12161d}button.first span{color:#4b5563}a{color:#6bb1ff}li{border-color:#262d38}}',
  '@media (max-width:480px){main{padding:20px 16px}}',
].join('');

const NAMES = { base: 'Base', solana: 'Solana' } as const;
const OVERPAYMENT = 5_000_000n;

/** Actions available to the demo user. */
export const WALLET_ACTIONS = ['exact', 'copied', 'less', 'more', 'late', 'worthless'] as const;
export type WalletAction = (typeof WALLET_ACTIONS)[number];

/** How long after the expiry of the payment late money is sent. */
export const LATE_MS = 5_000;

export type WalletOrder = {
  to: string;
  /** In USDC, such as '29.99'. */
  amount: string;
  /** Solana only. */
  reference: string | null;
  /** When the payment expires; null where the address does not include it. */
  expires: Date | null;
  /** The return address. */
  next: string | null;
};

export type WalletTransfer = {
  tx: string;
  /** Such as '29.99 USDC'. */
  what: string;
  /** When it is included in a block. */
  at: number;
  isMined: boolean;
};

/** The amount of an action: late and worthless payments have the exact amount. */
export function unitsFor(action: WalletAction, amount: string): Units {
  const units = usdToUnits(amount) ?? 0n;
  if (action === 'less') return units / 2n;
  return action === 'more' ? units + OVERPAYMENT : units;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const timeOf = (at: Date | number) => new Date(at).toISOString().slice(11, 19);

const refuse = (reason: string): never => {
  throw new ReplyError({ status: 400, body: `This wallet cannot read the address: ${reason}` });
};

/** Reads `?to&amount&reference&expires&next`. */
export function readOrder({ query }: Pick<Call, 'query'>): WalletOrder {
  const [to, amount] = [query.get('to') ?? '', query.get('amount') ?? ''];
  if (!/^[0-9A-Za-z]{32,64}$/.test(to)) refuse('`to` is missing');
  if (!usdToUnits(amount)) refuse('`amount` is missing');
  const expires = new Date(query.get('expires') ?? '');
  const next = query.get('next');
  return {
    to,
    amount,
    reference: query.get('reference'),
    expires: Number.isNaN(expires.getTime()) ? null : expires,
    next: next && /^https?:\/\//.test(next) ? next : null,
  };
}

/** The action submitted by the form; undefined when the page is only viewed. */
export function readAction({ method, rawBody }: Pick<Call, 'method' | 'rawBody'>): WalletAction | undefined {
  if (method !== 'POST') return undefined;
  const value = new URLSearchParams(rawBody.toString('utf8')).get('send');
  return WALLET_ACTIONS.find((action) => action === value) ?? refuse('`send` is one of the buttons');
}

export const htmlReply = (html: string): Reply => ({
  body: html,
  headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
});

/** Redirects to the page after sending, so that a reload does not send again. */
export const redirectReply = (path: string, query: URLSearchParams): Reply => ({
  status: 303,
  body: '',
  headers: { location: `${path}?${query.toString()}` },
});

/** The wallet for demo payments: plain HTML without script. `sent` is sorted newest first. */
export function walletPage(
  page: WalletOrder & { network: keyof typeof NAMES; transfers: readonly WalletTransfer[] },
): string {
  const { network, to, amount, reference, expires, next, transfers } = page;
  const row = (name: string, value: string) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`;
  const button = (action: WalletAction, label: string, hint: string) =>
    `<button name="send" value="${action}"${action === 'exact' ? ' class="first"' : ''}>${label} <span>${escaped(hint)}</span></button>`;
  const units = (action: WalletAction) => `${unitsToUsd(unitsFor(action, amount))} USDC`;
  const late = expires ? `${LATE_MS / 1000} s after ${timeOf(expires)} UTC` : units('late');
  const rows = transfers.map(
    ({ tx, what, at, isMined }) =>
      `<li>${escaped(what)} · ${isMined ? 'mined' : 'waits to be mined'} ${timeOf(at)} UTC<br><code>${escaped(tx)}</code></li>`,
  );
  const isPending = transfers.some(({ isMined }) => !isMined);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${isPending ? '<meta http-equiv="refresh" content="3">' : ''}<title>Demo wallet on ${NAMES[network]} · ${BRAND.name}</title><style>${STYLE}</style></head><body><header>Demo wallet <span>on ${NAMES[network]}</span></header><main><h1>Send USDC</h1><p>No real money: the chain is simulated on this machine.</p><dl>${row('To', to)}${row('Amount', `${amount} USDC`)}${reference ? row('Reference', reference) : ''}${expires ? row('Awaited until', `${timeOf(expires)} UTC`) : ''}</dl><form method="post">${button('exact', 'Send exact', units('exact'))}${reference ? button('copied', 'Send exact, without the reference', 'as when copied by hand') : ''}${button('less', 'Send less', units('less'))}${button('more', 'Send more', units('more'))}${button('late', 'Send late', late)}${button('worthless', 'Send a worthless token', `${amount} of no value`)}</form>${transfers.length > 0 ? `<h2>Sent to this address</h2><ol>${rows.join('')}</ol>` : ''}${next ? `<p style="margin:20px 0 0"><a href="${escaped(next)}">Back to the payment</a></p>` : ''}</main></body></html>`;
}

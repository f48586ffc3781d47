import { useEffect, useEffectEvent } from 'react';
import { NETWORK_NAMES, type Payment } from '#features/payments/contract/usdc.ts';
import { dateTime } from '#shared/format.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { cx } from '#ui/cx.ts';
import { SECONDARY } from '#ui/form.tsx';
import { useNow } from '#ui/now.ts';
import { part } from '#ui/part.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { CopyValue } from './copy-value.tsx';
import {
  amountMark,
  askingFor,
  countdownText,
  flagWords,
  isOpen,
  remainingAmount,
  STATUS_NAMES,
  STATUS_TONES,
  statusWords,
} from './payment-labels.ts';
import type { WalletPayProps } from './wallet-pay.tsx';

type Deposit = Payment['deposits'][number];

const STATES: Record<Deposit['state'], readonly [name: string, tone: Tone]> = {
  seen: ['Seen', 'accent'],
  confirmed: ['Confirmed', 'up'],
  final: ['Final', 'up'],
  orphaned: ['Reversed by the network', 'down'],
  foreign: ['Not USDC', 'warn'],
};

const short = (text: string): string => (text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text);

/** Deposits received for a payment. */
export function Deposits({ deposits }: { deposits: Payment['deposits'] }) {
  if (deposits.length === 0) return null;
  return (
    <section aria-label="Received">
      <h3 className="text-sm font-medium">Received</h3>
      <ul className="text-sm">
        {deposits.map((deposit) => (
          <Line key={`${deposit.tx}-${deposit.amount}-${deposit.state}`} deposit={deposit} />
        ))}
      </ul>
    </section>
  );
}

function Line({ deposit: { tx, url, at, amount, state, isLate } }: { deposit: Deposit }) {
  const [name, tone] = STATES[state];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line py-2 first:border-t-0">
      <span className="num font-medium">{state === 'foreign' ? 'Other token' : `${amount} USDC`}</span>
      <span className="flex flex-wrap items-center gap-1.5">
        {isLate && <Badge tone="warn">Late</Badge>}
        <Badge tone={tone}>{name}</Badge>
      </span>
      <span className="num w-full text-xs text-ink-3">
        {dateTime(Date.parse(at))} ·{' '}
        {url ? (
          <a href={url} target="_blank" rel="noreferrer" className="font-medium text-accent">
            {short(tx)}
          </a>
        ) : (
          short(tx)
        )}
      </span>
    </li>
  );
}

const WalletPay = part<WalletPayProps>({
  name: 'The wallet connection',
  load: async () => (await import('./wallet-pay.tsx')).WalletPay,
});

type Props = {
  payment: Payment;
  /** When the response arrived, by the clock of this device. */
  readAtMs: number;
  /** The last request failed. */
  away: boolean;
  onAsk: () => void;
};

/** A payment that has not bought its plan yet. */
export function PaymentOpen({ payment, readAtMs, away, onAsk }: Props) {
  const { flags, deposits } = payment;
  const now = useNow();
  const endMs = Date.parse(payment.expiresAt);
  // The server still reports it open after its end: the clock of this device is wrong, so the server wins.
  const isMisled = isOpen(payment) && readAtMs >= endMs;
  const heldMs = endMs - Date.parse(payment.createdAt);
  const over = now > 0 && now >= endMs && !isMisled;
  const ask = useEffectEvent(onAsk);
  useEffect(() => {
    if (over) ask();
  }, [over]);
  const shown = over && isOpen(payment) ? { ...payment, status: 'expired' as const } : payment;
  return (
    <div className="grid gap-3 text-sm">
      <output className="grid gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={STATUS_TONES[shown.status]}>{STATUS_NAMES[shown.status]}</Badge>
        </span>
        <span className="text-ink-2">{statusWords(shown)}</span>
      </output>
      {flags.map((flag) => (
        <p key={flag} className="rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn">
          {flagWords(flag, shown)}
        </p>
      ))}
      {away && (
        <p role="alert" className="text-down">
          Couldn’t load the payment. Retrying automatically; funds in transit are safe.
        </p>
      )}
      {isOpen(shown) && (
        <HowToSend payment={payment} leftMs={now > 0 && !isMisled ? Math.min(endMs - now, heldMs) : null} />
      )}
      <Deposits deposits={deposits} />
      <Sum payment={payment} />
      {isOpen(shown) && (
        <p className="text-xs text-ink-3">
          You can close this window; the payment continues. Reopen it under Billing Information in your profile.
        </p>
      )}
    </div>
  );
}

function HowToSend({ payment, leftMs }: { payment: Payment; leftMs: number | null }) {
  const { network, address, token, demoWallet } = payment;
  const chain = NETWORK_NAMES[network];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="grid content-start gap-2">
        <div className="mx-auto w-full max-w-60">
          <QrCode
            text={askingFor(payment, payment.uri)}
            label={`Wallet QR code: ${remainingAmount(payment)} USDC on ${chain}`}
          />
        </div>
        {leftMs !== null && (
          <p className="text-center">
            <span className="text-ink-3">Expires in </span>
            <span role="timer" className="num font-semibold">
              {countdownText(leftMs)}
            </span>
          </p>
        )}
        {demoWallet ? (
          <>
            <a
              href={askingFor(payment, demoWallet)}
              target="_blank"
              rel="noreferrer"
              className={cx(SECONDARY, 'w-full')}
            >
              Open the Demo Wallet
            </a>
            <p className="rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn">
              Demo: this address belongs to a simulated network. Do not send real money to it.
            </p>
          </>
        ) : (
          <WalletPay payment={payment} amount={remainingAmount(payment)} />
        )}
      </div>
      <div>
        <dl>
          <CopyValue name="Exact amount" value={remainingAmount(payment)} unit="USDC" large />
          <div className="border-t border-line py-2">
            <dt className="text-xs text-ink-3">Network</dt>
            <dd className="text-base font-semibold">{chain}</dd>
          </div>
          <CopyValue name="Address" value={address} />
          <CopyValue name={network === 'base' ? 'USDC contract' : 'USDC mint'} value={token} />
        </dl>
        <p className="mt-2 rounded-ctl bg-warn/10 px-3 py-2 font-medium text-warn">
          Send only USDC on {chain}. Other tokens, or USDC on other networks, are not credited and may be lost.
        </p>
      </div>
    </div>
  );
}

function Sum({ payment }: { payment: Payment }) {
  const { price, creditUsed, amount, paid } = payment;
  const mark = amountMark(payment);
  const lines: readonly (readonly [string, string])[] = [
    ['Price', `${price} USDC`],
    ...(Number(creditUsed) > 0 ? [['Balance and unused Pro time', `−${creditUsed} USDC`] as const] : []),
    ...(mark ? [['Payment identifier', `+${mark} USDC`] as const] : []),
    ['To pay', `${amount} USDC`],
    ...(Number(paid) > 0 ? [['Arrived', `${paid} USDC`] as const] : []),
  ];
  return (
    <dl>
      {lines.map(([name, value]) => (
        <div
          key={name}
          className="flex items-baseline justify-between gap-4 border-t border-line py-1.5 first:border-t-0"
        >
          <dt className="text-ink-3">{name}</dt>
          <dd className="num font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

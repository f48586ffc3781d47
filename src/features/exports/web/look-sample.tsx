import { BRAND } from '#shared/brand.ts';
import { Logo } from '#web/ui/logo.tsx';

import type { WhiteLabel } from '../contract.ts';

const SYMBOLS = ['BTC', 'ETH'] as const;

/** The head of a report as it will look, with bars where its numbers stand: none is made up. Paper is white in every theme. */
export function LookSample({ look: { name, logo, colour } }: { look: WhiteLabel }) {
  const ink = colour ?? BRAND.accent;
  return (
    <figure className="m-0">
      <figcaption className="label mb-1">Sample of a report</figcaption>
      <div
        className="overflow-hidden rounded-ctl border border-line-strong p-4 text-sm"
        style={{ background: '#fff', color: '#16202c' }}
      >
        <div className="flex items-center gap-2.5 border-b-2 pb-2 font-semibold" style={{ borderColor: ink }}>
          {logo ? (
            <img src={logo} alt="Your logo" className="h-8 w-auto max-w-72" style={{ objectFit: 'contain' }} />
          ) : (
            !name && <Logo className="size-6" />
          )}
          <span className="min-w-0 break-words">{name ?? BRAND.name}</span>
        </div>
        <p className="mt-2 font-semibold">Crypto prices</p>
        <ul className="mt-1">
          {SYMBOLS.map((symbol) => (
            <li key={symbol} className="flex items-center justify-between gap-3">
              {symbol}
              <span className="h-2 w-16 rounded-chip" style={{ background: '#d5dbe3' }} />
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

import { BRAND } from '#shared/brand.ts';
import { Logo } from '#web/ui/logo.tsx';

import type { WhiteLabel } from '../contract.ts';

const ROWS = [
  ['BTC', '67,210.40'],
  ['ETH', '3,480.12'],
] as const;

/** The head of a report as it will look. Paper is white in every theme. */
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
        <dl className="num mt-1">
          {ROWS.map(([symbol, price]) => (
            <div key={symbol} className="flex justify-between gap-3">
              <dt>{symbol}</dt>
              <dd>{price}</dd>
            </div>
          ))}
        </dl>
      </div>
    </figure>
  );
}

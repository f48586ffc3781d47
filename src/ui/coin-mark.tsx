import type { CSSProperties } from 'react';

function hue(symbol: string): number {
  let hash = 0;
  for (const letter of symbol) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash % 360;
}

type Props = {
  symbol: string;
  /** The CoinGecko id. Without it only a tracked coin has a logo: several coins share a symbol. */
  id?: string | undefined;
  size?: number;
};

/** Letters, until a style sheet has a logo for the coin: see coin-logos.ts. */
export function CoinMark({ symbol, id = symbol, size = 26 }: Props) {
  return (
    <span
      aria-hidden="true"
      data-letters={symbol.slice(0, symbol.length > 3 ? 2 : 3)}
      className={`coin-mark coin-${id}`}
      style={{ '--size': `${size}px`, '--hue': hue(symbol) } as CSSProperties}
    />
  );
}

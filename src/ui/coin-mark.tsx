const DRAWN: Record<string, { ground: string; path: string }> = {
  BTC: {
    ground: 'oklch(0.74 0.16 62)',
    path: 'M9.2 6.2h5.1c2 0 3.2 1 3.2 2.6 0 1.3-.8 2.1-1.8 2.4 1.3.3 2.2 1.2 2.2 2.7 0 1.9-1.4 3-3.6 3H9.2zm2.2 1.8v2.5h2.4c1 0 1.5-.5 1.5-1.3 0-.8-.5-1.2-1.5-1.2zm0 4.2v2.9h2.7c1.1 0 1.7-.5 1.7-1.4 0-1-.6-1.5-1.8-1.5zM11 4.4h1.3v2H11zm2.4 0h1.3v2h-1.3zM11 16.6h1.3v2H11zm2.4 0h1.3v2h-1.3z',
  },
  ETH: { ground: 'oklch(0.6 0.12 275)', path: 'm12 3.8 4.9 8.2L12 15 7.1 12zM12 16.2l4.9-3.1L12 20.2l-4.9-7.1z' },
  SOL: {
    ground: 'oklch(0.6 0.17 305)',
    path: 'M8.3 7h9.2l-1.9 2.1H6.4zM6.4 10.9h9.2l1.9 2.1H8.3zM8.3 14.9h9.2L15.6 17H6.4z',
  },
  SUI: {
    ground: 'oklch(0.66 0.14 240)',
    path: 'M12 4.4c2.6 3.1 5 6 5 9a5 5 0 0 1-10 0c0-3 2.4-5.9 5-9zm0 3.4c-1.7 2.1-3 4-3 5.7a3 3 0 0 0 4.6 2.5c-2.8-.9-3.9-3.7-1.6-8.2z',
  },
  XRP: {
    ground: 'oklch(0.42 0.02 258)',
    path: 'M6.5 6.5h2.3l2 2c.7.7 1.7.7 2.4 0l2-2h2.3L14 10c-1.1 1.1-2.9 1.1-4 0zm0 11h2.3l2-2c.7-.7 1.7-.7 2.4 0l2 2h2.3L14 14c-1.1-1.1-2.9-1.1-4 0z',
  },
};

function hue(symbol: string): number {
  let hash = 0;
  for (const letter of symbol) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash % 360;
}

export function CoinMark({ symbol, size = 26 }: { symbol: string; size?: number }) {
  const drawn = DRAWN[symbol];
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="shrink-0">
      <circle
        cx="12"
        cy="12"
        r="12"
        fill={drawn?.ground ?? `color-mix(in oklch,oklch(.62 .14 ${hue(symbol)}) 26%,var(--surface))`}
      />
      {drawn ? (
        <path d={drawn.path} fill="#fff" />
      ) : (
        <text x="12" y="15.2" textAnchor="middle" fontSize="8.5" fontWeight="600" fill="var(--ink)">
          {symbol.slice(0, symbol.length > 3 ? 2 : 3)}
        </text>
      )}
    </svg>
  );
}

import { useMemo } from 'react';
import { encode } from 'uqr';

import { cx } from './cx.ts';

/** Light modules around the code, without which cameras do not detect it on a dark page. */
export const QUIET = 4;

/** One path for all dark modules, runs of them joined: 'M4 4h7v1h-7z…'. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  let path = '';
  for (const [y, row] of data.entries())
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue;
      let length = 1;
      while (row[x + length]) length++;
      path += `M${x} ${y}h${length}v1h-${length}z`;
      x += length;
    }
  return { path, size };
}

type Props = { text: string; label: string; className?: string };

/** Dark on white in both themes, as cameras require. */
export function QrCode({ text, label, className = 'w-full' }: Props) {
  const { path, size } = useMemo(() => qrPath(text), [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={cx('rounded-ctl border border-line-strong', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

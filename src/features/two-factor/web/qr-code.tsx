import { encode } from 'uqr';

/** Quiet modules around the code, without which some cameras do not find it. */
const BORDER = 3;

/** Dark on white in every theme: cameras expect it. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { size, data } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={name}
      shapeRendering="crispEdges"
      className="size-44 shrink-0 rounded-ctl border border-line"
    >
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={dark} fill="#000" />
    </svg>
  );
}

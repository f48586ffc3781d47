import { BRAND } from '#shared/brand.ts';

export function Logo({ className }: { className?: string }) {
  const { line, dot } = BRAND.mark;
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <rect width="24" height="24" rx="6.5" fill="var(--btn)" />
      <path d={line} fill="none" stroke="var(--btn-ink)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      <circle cx={dot.x} cy={dot.y} r={dot.r} fill="var(--accent)" stroke="var(--btn)" strokeWidth=".8" />
    </svg>
  );
}

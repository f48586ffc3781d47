import type { ReactNode } from 'react';

/** What is wider than the screen scrolls in its place, by the keyboard too. */
export function ScrollBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div role="region" aria-label={label} tabIndex={0} className="relative overflow-x-auto px-4 pb-4">
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';

/** Heading of an informational view; it takes the focus, so that screen readers announce it. */
export function ViewText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 id="auth-title" tabIndex={-1} data-focus className="text-xl font-semibold tracking-[-0.02em] outline-none">
        {title}
      </h2>
      <p className="mt-1.5 text-base text-ink-2">{children}</p>
    </div>
  );
}

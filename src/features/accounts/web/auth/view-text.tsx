import type { ReactNode } from 'react';

/** The head of a view that tells something; it takes the focus, so that it is read out. */
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

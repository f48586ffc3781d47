import type { ReactNode } from 'react';

type Props = { id: string; title: string; children: ReactNode };

/** A heading with its text beside it, or below it on a narrow screen. */
export function AboutSection({ id, title, children }: Props) {
  return (
    <section
      aria-labelledby={id}
      className="mt-6 grid grid-cols-1 gap-2 border-t border-line pt-5 md:grid-cols-[1fr_2fr]"
    >
      <h2 id={id} className="text-lg font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      <div className="prose">{children}</div>
    </section>
  );
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

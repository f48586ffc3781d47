import type { ReactNode } from 'react';

import { Link } from './link.tsx';
import { useTitle } from './use-title.ts';

type Props = {
  title: string;
  /** One sentence below the title. */
  lead?: ReactNode;
  /** A related page, linked at the end of the title line. */
  link?: readonly [text: string, to: string];
  /** Instead of `link`. */
  action?: ReactNode;
  children: ReactNode;
};

/** The layout of an app page: width, page and tab title, and its initial scroll position. */
export function Page({ title, lead, link, action = link && <PageLink link={link} />, children }: Props) {
  useTitle(title);
  const heading = <h1 className="text-xl font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">{title}</h1>;
  return (
    <div className="mx-auto max-w-[1560px] px-3 pt-4 pb-8 sm:px-6 sm:pt-5">
      {action ? (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          {heading}
          {action}
        </div>
      ) : (
        heading
      )}
      {lead && <p className="mt-1 mb-4 max-w-4xl text-sm text-ink-2">{lead}</p>}
      {children}
    </div>
  );
}

const PageLink = ({ link: [text, to] }: { link: readonly [string, string] }) => (
  <Link
    to={to}
    className="inline-flex min-h-9 items-center rounded-chip text-sm font-medium text-accent underline-offset-4 hover:underline"
  >
    {text}
  </Link>
);

import { House, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { Logo } from '#ui/logo.tsx';
import { part } from '#ui/part.tsx';

import { FeedHealth } from './feed-health.tsx';
import { GLYPH, ITEM, NavItem, QUIET } from './nav-item.tsx';
import { MAIN_PAGES } from './pages.ts';
import type { SidePagesProps } from './side-pages.tsx';

type Props = {
  data: Dashboard | undefined;
  /** What to say while the server gives nothing; null while it does. */
  lost: string | null;
  account: Account;
  open: boolean;
  onClose: () => void;
};

/** Who looks, and their stars, are known in the browser only, so there is nothing of it in the first view. */
const SidePages = part<SidePagesProps>({
  load: async () => (await import('./side-pages.tsx')).SidePages,
  failed: () => null,
});

export function Sidebar({ data, lost, account, open, onClose }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    close.current?.focus();
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open, onClose]);

  return (
    <>
      {open && (
        <button
          type="button"
          aria-label="Close menu"
          tabIndex={-1}
          onClick={onClose}
          className="fixed inset-0 z-30 bg-black/50 lg:hidden"
        />
      )}
      <nav
        aria-label="Main"
        className={cx(
          'fixed inset-y-0 left-0 z-40 flex w-64 flex-col overflow-y-auto border-r border-line bg-bg px-3 pb-4 transition-[translate,visibility] duration-200 lg:visible lg:sticky lg:top-0 lg:h-dvh lg:w-auto lg:translate-x-0',
          open ? 'translate-x-0' : 'invisible -translate-x-full',
        )}
      >
        <div className="flex h-14 shrink-0 items-center px-2">
          <Link to="/app" onClick={onClose} className="flex items-center gap-2.5 rounded-chip">
            <Logo className="size-6" />
            <span className="text-lg font-semibold tracking-[-0.02em]">{BRAND.name}</span>
          </Link>
          <button
            ref={close}
            type="button"
            aria-label="Close menu"
            onClick={onClose}
            className="ml-auto grid size-10 place-items-center rounded-ctl hover:bg-raised lg:hidden"
          >
            <X className="size-4" aria-hidden="true" />
          </button>
        </div>
        <ul className="mt-2">
          {MAIN_PAGES.map((page) => (
            <NavItem key={page.to} page={page} onOpen={onClose} />
          ))}
          {account.state === 'anonymous' && (
            <li className="signed-in:hidden sm:hidden">
              <a href="/" className={cx(ITEM, QUIET)}>
                <House className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
                Home
              </a>
            </li>
          )}
        </ul>
        <SidePages account={account} rows={data?.cryptoPrices ?? []} onOpen={onClose} />
        <FeedHealth data={data} lost={lost} onOpen={onClose} />
      </nav>
    </>
  );
}

import { Database, House, LayoutDashboard, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Dashboard } from '#features/dashboard/contract.ts';
import type { WatchedProps } from '#features/market/web/watched-coins.tsx';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#web/ui/cx.ts';
import { Link, NavLink } from '#web/ui/link.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { part } from '#web/ui/part.tsx';

import { FeedHealth } from './feed-health.tsx';

type Props = { data: Dashboard | undefined; open: boolean; onClose: () => void };

const ITEM = 'flex h-10 items-center gap-2.5 rounded-ctl px-2.5 text-base transition-colors lg:h-8.5';
const QUIET = 'text-ink-2 hover:bg-raised/60 hover:text-ink';

/** Stars live in the browser, so there is nothing of it in the first view. */
const WatchedCoins = part<WatchedProps>({
  name: 'The watchlist',
  load: async () => (await import('#features/market/web/watched-coins.tsx')).WatchedCoins,
  failed: () => null,
});

const PAGES = [
  { to: '/app', name: 'Dashboard', Icon: LayoutDashboard },
  { to: '/app/sources', name: 'Data sources', Icon: Database },
] as const;

export function Sidebar({ data, open, onClose }: Props) {
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
          {PAGES.map(({ to, name, Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                end
                onClick={onClose}
                className={({ isActive }) => cx(ITEM, isActive ? 'bg-raised font-medium text-ink' : QUIET)}
              >
                <Icon className="size-4 shrink-0 opacity-80" strokeWidth={1.75} aria-hidden="true" />
                {name}
              </NavLink>
            </li>
          ))}
          <li className="sm:hidden">
            <a href="/" className={cx(ITEM, QUIET)}>
              <House className="size-4 shrink-0 opacity-80" strokeWidth={1.75} aria-hidden="true" />
              Home
            </a>
          </li>
        </ul>
        <WatchedCoins rows={data?.cryptoPrices ?? []} onOpen={onClose} />
        <FeedHealth data={data} onOpen={onClose} />
      </nav>
    </>
  );
}

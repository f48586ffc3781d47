import { House, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, NavLink } from 'react-router';

import type { Dashboard } from '#features/dashboard/contract.ts';
import type { WatchedProps } from '#features/market/web/watched-coins.tsx';
import type { Account } from '#features/subscriptions/web/use-subscription.ts';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#web/ui/cx.ts';
import { Logo } from '#web/ui/logo.tsx';
import { part } from '#web/ui/part.tsx';
import { Tag } from '#web/ui/tag.tsx';

import { FeedHealth } from './feed-health.tsx';
import { type Offer, pagesFor } from './pages.ts';

type Props = { data: Dashboard | undefined; account: Account; open: boolean; onClose: () => void };

const ITEM = 'flex h-10 items-center gap-2.5 rounded-ctl px-2.5 text-base transition-colors lg:h-8.5';
const GLYPH = 'size-4 shrink-0 opacity-80';
const QUIET = 'text-ink-2 hover:bg-raised/60 hover:text-ink';

/** Stars live in the browser, so there is nothing of it in the first view. */
const WatchedCoins = part<WatchedProps>({
  name: 'The watchlist',
  load: async () => (await import('#features/market/web/watched-coins.tsx')).WatchedCoins,
  failed: () => null,
});

const GROUPS = ['Pro tools', 'Account', 'Admin'] as const;

export function Sidebar({ data, account, open, onClose }: Props) {
  const pages = pagesFor(account);
  const of = (group: Offer['group']) => pages.filter((page) => page.group === group);
  const waiting = account.state === 'unknown' && !account.failed;
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
          <Pages pages={of('Pages')} onOpen={onClose} />
          {account.state === 'anonymous' && (
            <li className="signed-in:hidden sm:hidden">
              <a href="/" className={cx(ITEM, QUIET)}>
                <House className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
                Home
              </a>
            </li>
          )}
        </ul>
        <div className={cx('signed-in:invisible', waiting && 'invisible')}>
          {GROUPS.filter((group) => of(group).length > 0).map((group) => (
            <div key={group} className="mt-4">
              <p className="label px-2.5 pb-1" aria-hidden="true">
                {group}
              </p>
              <ul aria-label={group}>
                <Pages pages={of(group)} onOpen={onClose} />
              </ul>
            </div>
          ))}
          <WatchedCoins rows={data?.cryptoPrices ?? []} onOpen={onClose} />
        </div>
        <FeedHealth data={data} onOpen={onClose} />
      </nav>
    </>
  );
}

function Pages({ pages, onOpen }: { pages: readonly Offer[]; onOpen: () => void }) {
  return pages.map(({ to, name, Icon, lock }) => (
    <li key={name}>
      <NavLink
        to={to}
        end
        onClick={onOpen}
        aria-current={lock ? false : 'page'}
        className={({ isActive }) => cx(ITEM, isActive && !lock ? 'bg-raised font-medium text-ink' : QUIET)}
      >
        <Icon className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
        {name}
        {lock && <Tag className="ml-auto">{lock}</Tag>}
      </NavLink>
    </li>
  ));
}

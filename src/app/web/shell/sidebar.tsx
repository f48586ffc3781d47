import { House, X } from 'lucide-react';
import { useEffect, useRef } from 'react';

import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { isFailing, troubleText } from '#features/market/web/market/quote.ts';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { BRAND } from '#shared/brand.ts';
import { clockTime } from '#shared/format.ts';
import { cx } from '#ui/cx.ts';
import { Link, NavLink } from '#ui/link.tsx';
import { Logo } from '#ui/logo.tsx';
import { part } from '#ui/part.tsx';

import { MAIN_PAGES, type PageLink } from './pages.ts';
import type { SidePagesProps } from './side-pages.tsx';

const MAX_NAMED = 3;

function summary(sources: Dashboard['sources']): { text: string; tone: string } {
  const failing = sources.filter(isFailing);
  const [first] = failing;
  if (first && failing.length === 1) return { text: troubleText(first), tone: 'bg-warn' };
  if (first)
    return {
      text:
        failing.length > MAX_NAMED
          ? `${failing.length} of ${sources.length} feeds failing`
          : `${failing.length} feeds failing: ${failing.map(({ name }) => name).join(', ')}`,
      tone: 'bg-warn',
    };
  const working = sources.filter(({ state }) => state === 'ok').length;
  if (working === 0) return { text: 'Waiting for first data', tone: 'bg-line-strong' };
  return { text: working === 1 ? 'Feed healthy' : `All ${working} feeds healthy`, tone: 'bg-up' };
}

type FeedHealthProps = { data: Dashboard | undefined; lost: string | null; onOpen: () => void };

/** Shows nothing about feeds until the server has responded. */
function FeedHealth({ data, lost, onOpen }: FeedHealthProps) {
  const { text, tone } = lost === null ? summary(data?.sources ?? []) : { text: lost, tone: 'bg-warn' };
  return (
    <div className="mt-auto shrink-0 pt-4">
      <Link
        to="/app/sources"
        onClick={onOpen}
        className="block min-h-[3.875rem] rounded-[10px] border border-line p-3 hover:border-line-strong"
      >
        <p className="flex items-baseline gap-2 text-xs font-medium">
          <span className={cx('size-1.5 shrink-0 -translate-y-px rounded-full', tone)} aria-hidden="true" />
          {text}
        </p>
        {lost === null && data?.nextCollectionTime && (
          <p className="label num mt-0.5">Next collection {clockTime(Date.parse(data.nextCollectionTime))}</p>
        )}
      </Link>
    </div>
  );
}

export const ITEM = 'flex h-10 items-center gap-2 rounded-ctl px-2.5 text-base transition-colors lg:h-8.5';
export const INACTIVE_ITEM = 'text-ink-2 hover:bg-raised/50 hover:text-ink';
export const GLYPH = 'size-4 shrink-0 opacity-80';

export function NavItem({ page: { to, name, Icon }, onOpen }: { page: PageLink; onOpen: () => void }) {
  return (
    <li>
      <NavLink
        to={to}
        end={to === '/app'}
        onClick={onOpen}
        className={({ isActive }) => cx(ITEM, isActive ? 'bg-raised font-medium text-ink' : INACTIVE_ITEM)}
      >
        <Icon className={GLYPH} strokeWidth={1.75} aria-hidden="true" />
        {name}
      </NavLink>
    </li>
  );
}

type SidebarProps = {
  data: Dashboard | undefined;
  /** The message while the server is unreachable; null otherwise. */
  lost: string | null;
  account: Account;
  open: boolean;
  onClose: () => void;
};

/** The user and their stars are known only in the browser, so the first view does not include this. */
const SidePages = part<SidePagesProps>({
  load: async () => (await import('./side-pages.tsx')).SidePages,
  failed: () => null,
});

export function Sidebar({ data, lost, account, open, onClose }: SidebarProps) {
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
              <a href="/" className={cx(ITEM, INACTIVE_ITEM)}>
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

import { Bell, Menu, Moon, Search, Sun } from 'lucide-react';
import { BRAND } from '#shared/brand.ts';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { toggleTheme } from '#web/ui/theme.ts';

import { DemoMark } from './demo-mark.tsx';

const ICON = 'grid size-10 shrink-0 place-items-center rounded-ctl text-ink-2 hover:bg-raised hover:text-ink lg:size-9';
const REGISTER = '/app?auth=register';

type Props = { demo: boolean; menu: boolean; onMenu: () => void; onSearch: () => void };

export function Header({ demo, menu, onMenu, onSearch }: Props) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-1.5 border-b border-line bg-bg/85 px-2 backdrop-blur-md sm:px-6">
      <button
        type="button"
        aria-label="Open menu"
        aria-expanded={menu}
        onClick={onMenu}
        className={cx(ICON, 'lg:hidden')}
      >
        <Menu className="size-[18px]" aria-hidden="true" />
      </button>
      <Link to="/app" aria-label={BRAND.name} className="flex items-center gap-2 rounded-chip lg:hidden">
        <Logo className="size-6" />
        <span className={cx('font-semibold tracking-[-0.02em]', demo && 'hidden sm:inline')}>{BRAND.name}</span>
      </Link>
      <button
        type="button"
        onClick={onSearch}
        className="hidden h-8.5 w-72 items-center gap-2 rounded-ctl border border-line bg-surface px-2.5 text-sm text-ink-3 hover:border-line-strong lg:flex"
      >
        <Search className="size-3.5" aria-hidden="true" />
        Search coins and pages
        <kbd className="ml-auto rounded-[4px] border border-line px-1 font-sans text-[10px]">Ctrl K</kbd>
      </button>
      {demo && <DemoMark />}
      <div className="ml-auto flex items-center gap-0.5">
        <a
          href="/"
          className="hidden h-9 items-center rounded-ctl px-3 text-sm font-medium text-ink-2 hover:bg-raised hover:text-ink sm:inline-flex"
        >
          Home
        </a>
        <button type="button" aria-label="Search" onClick={onSearch} className={cx(ICON, 'lg:hidden')}>
          <Search className="size-[17px]" aria-hidden="true" />
        </button>
        <button type="button" aria-label="Switch colour theme" onClick={toggleTheme} className={ICON}>
          <Moon className="size-4 dark:hidden" aria-hidden="true" />
          <Sun className="hidden size-4 dark:block" aria-hidden="true" />
        </button>
        <Link
          to={REGISTER}
          aria-label="Market alerts, Pro"
          className="relative flex h-10 items-center justify-center gap-1.5 rounded-ctl text-ink-2 hover:bg-raised hover:text-ink max-sm:w-10 max-sm:pt-2 max-sm:pr-2 sm:px-2.5 lg:h-9"
        >
          <Bell className="size-[17px]" aria-hidden="true" />
          <span className="rounded-chip border border-line-strong bg-bg px-1 text-[10px] leading-4 font-semibold text-ink-2 max-sm:absolute max-sm:top-0.5 max-sm:right-0 max-sm:text-[9px] max-sm:leading-3.5">
            Pro
          </span>
        </Link>
        <Link
          to={REGISTER}
          className="ml-2 inline-flex h-9 items-center rounded-ctl bg-btn px-3 text-sm font-medium whitespace-nowrap text-btn-ink hover:opacity-90"
        >
          Sign In
        </Link>
      </div>
    </header>
  );
}

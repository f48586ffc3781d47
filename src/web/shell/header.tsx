import { Bell, Menu, Moon, Search, Sun } from 'lucide-react';

import { planOf, reaches } from '#features/subscriptions/web/access.ts';
import type { Account } from '#features/subscriptions/web/use-subscription.ts';
import { BRAND } from '#shared/brand.ts';
import { ButtonLink } from '#web/ui/button-link.tsx';
import { cx } from '#web/ui/cx.ts';
import { Link } from '#web/ui/link.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { part } from '#web/ui/part.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toggleTheme } from '#web/ui/theme.ts';

import type { AccountControlsProps } from './account-controls.tsx';
import { DemoMark } from './demo-mark.tsx';
import type { Overlay } from './dialogs.tsx';
import { IconButton } from './icon-button.tsx';

const REGISTER = '/app?auth=register';
/** Two icon buttons: what who is signed in sees at the end of the header. */
const SIGNED_IN = 'h-10 w-20.5 lg:w-18.5';

const AccountControls = part<AccountControlsProps>({
  load: async () => (await import('./account-controls.tsx')).AccountControls,
  loading: <div className={SIGNED_IN} />,
  failed: () => (
    <Link to="/app/profile" className="px-2 text-sm font-medium">
      Profile
    </Link>
  ),
});

/** Everyone who is signed in has one; which of them is known a moment later. */
const BELL = <div className="size-10 lg:size-9" />;

const AlertsUpsell = part({
  load: async () => (await import('./alerts-upsell.tsx')).AlertsUpsell,
  loading: BELL,
  failed: () => null,
});

const AlertsBell = part({
  load: async () => (await import('./alerts-bell.tsx')).AlertsBell,
  loading: BELL,
  failed: () => (
    <Link
      to="/app/alerts"
      aria-label="Market alerts"
      className="grid size-10 place-items-center rounded-ctl text-ink-2 lg:size-9"
    >
      <Bell className="size-[17px]" aria-hidden="true" />
    </Link>
  ),
});

type Props = { account: Account; demo: boolean; menu: boolean; onMenu: () => void; onOpen: (overlay: Overlay) => void };

export function Header({ account, demo, menu, onMenu, onOpen }: Props) {
  const onSearch = () => onOpen('palette');
  const visitor = account.state === 'anonymous';
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-bg/95 px-2 frosted sm:px-6">
      <IconButton aria-label="Open menu" aria-expanded={menu} onClick={onMenu} className="lg:hidden">
        <Menu className="size-[18px]" aria-hidden="true" />
      </IconButton>
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
        {visitor && (
          <a
            href="/"
            className="hidden h-9 items-center rounded-ctl px-3 text-sm font-medium text-ink-2 hover:bg-raised hover:text-ink sm:inline-flex signed-in:invisible"
          >
            Home
          </a>
        )}
        <IconButton aria-label="Search" onClick={onSearch} className="lg:hidden">
          <Search className="size-[17px]" aria-hidden="true" />
        </IconButton>
        <IconButton
          aria-label="Switch colour theme"
          onClick={toggleTheme}
          className={cx('signed-in:max-sm:hidden', !visitor && 'max-sm:hidden')}
        >
          <Moon className="size-4 dark:hidden" aria-hidden="true" />
          <Sun className="hidden size-4 dark:block" aria-hidden="true" />
        </IconButton>
        {visitor ? (
          <SignIn />
        ) : (
          <>
            <SignedInBell account={account} />
            <AccountControls account={account} onOpen={onOpen} />
          </>
        )}
      </div>
    </header>
  );
}

function SignedInBell({ account }: { account: Account }) {
  const plan = planOf(account);
  if (plan === null) return BELL;
  return reaches(plan, 'pro') ? <AlertsBell /> : <AlertsUpsell />;
}

function SignIn() {
  return (
    <div className="flex items-center signed-in:invisible signed-in:w-31 signed-in:overflow-hidden signed-in:lg:w-28">
      <Link
        to={REGISTER}
        aria-label="Market alerts, Pro"
        className="relative flex h-10 items-center justify-center gap-1.5 rounded-ctl text-ink-2 hover:bg-raised hover:text-ink max-sm:w-10 max-sm:pt-2 max-sm:pr-2 sm:px-2.5 lg:h-9"
      >
        <Bell className="size-[17px]" aria-hidden="true" />
        <Tag className="bg-bg max-sm:absolute max-sm:top-0.5 max-sm:right-0 max-sm:px-1">Pro</Tag>
      </Link>
      <ButtonLink to={REGISTER} className="ml-2 h-9 px-3">
        Sign In
      </ButtonLink>
    </div>
  );
}

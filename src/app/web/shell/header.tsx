import { Bell, FlaskConical, Menu, Moon, Search, Sun } from 'lucide-react';
import { accountPlan, includesPlan } from '#features/accounts/web/subscriptions/access.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { BRAND } from '#shared/brand.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { Logo } from '#ui/logo.tsx';
import { part } from '#ui/part.tsx';
import { Tag } from '#ui/tag.tsx';
import { toggleTheme } from '#ui/theme.ts';

import type { AccountControlsProps } from './account-controls.tsx';
import type { Overlay } from './dialogs.tsx';
import { IconButton } from './icon-button.tsx';

function DemoMark() {
  return (
    <>
      <button
        type="button"
        popoverTarget="demo-note"
        className="inline-flex h-7 items-center gap-1.5 rounded-chip border border-warn/40 bg-warn/10 px-2 text-2xs font-semibold whitespace-nowrap text-warn hover:border-warn lg:ml-2"
      >
        <FlaskConical className="size-3" aria-hidden="true" />
        <span>
          Demo<span className="max-[24rem]:hidden"> data</span>
        </span>
      </button>
      <div
        id="demo-note"
        popover="auto"
        className="fixed inset-auto top-13 left-3 m-0 w-84 max-w-[calc(100vw-1.5rem)] rounded-card border border-line-strong bg-surface p-4 text-ink floating lg:left-[35rem]"
      >
        <p className="text-sm font-semibold">This is a simulated market</p>
        <p className="mt-1 text-sm text-ink-2">
          Every number here is simulated; none is a real price. Demo and live data never share a database.{' '}
          <a href="/app/phone" className="font-medium text-accent">
            Open the simulated phone
          </a>
        </p>
      </div>
    </>
  );
}

const REGISTER = '/app?auth=register';
/** Two icon buttons: the end of the header for signed-in users. */
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

/** Every signed-in user has a bell; which one is known a moment later. */
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

type Props = {
  account: Account;
  demo: boolean;
  /** The message while the server is unreachable; null otherwise. */
  lost: string | null;
  menu: boolean;
  onMenu: () => void;
  onOpen: (overlay: Overlay) => void;
};

export function Header({ account, demo, lost, menu, onMenu, onOpen }: Props) {
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
      <output className="min-w-0 max-sm:absolute max-sm:inset-x-2 max-sm:top-14 max-sm:bg-bg">
        {lost !== null && (
          <span className="block truncate rounded-chip border border-warn/40 bg-warn/10 px-2 py-1 text-2xs font-semibold text-warn lg:ml-2">
            {lost}
          </span>
        )}
      </output>
      <div className="ml-auto flex h-10 items-center gap-0.5">
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
          aria-label="Switch color theme"
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
  const plan = accountPlan(account);
  if (plan === null) return BELL;
  return includesPlan(plan, 'pro') ? <AlertsBell /> : <AlertsUpsell />;
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

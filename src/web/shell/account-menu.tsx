import { LogOut, User } from 'lucide-react';
import { type KeyboardEvent, type ToggleEvent, useId, useRef, useState } from 'react';
import { useLogout } from '#features/auth/web/use-logout.ts';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { Link } from '#web/ui/link.tsx';
import { placeBeside } from '#web/ui/popover.ts';

import { IconButton } from './icon-button.tsx';

const ITEM =
  'flex h-10 w-full items-center gap-2.5 rounded-ctl px-2.5 text-base hover:bg-raised focus-visible:bg-raised disabled:opacity-60';

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The profile dropdown. `subscription` is null while the account is being read. */
export function AccountMenu({ subscription }: { subscription: Subscription | null }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const logout = useLogout();

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => menu.current?.hidePopover();
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    placeBeside(button.current, event, 'end');
    setOpen(event.newState === 'open');
    // It is told late: the keyboard may have gone on to another entry by then.
    if (event.newState === 'open' && !items().includes(document.activeElement as HTMLElement)) items()[0]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Tab') close();
    if (!step) return;
    event.preventDefault();
    const all = items();
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  };
  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    menu.current?.togglePopover(true);
    items()[0]?.focus();
  };

  return (
    <>
      <IconButton
        ref={button}
        popoverTarget={id}
        aria-label="Your account"
        aria-haspopup="menu"
        aria-expanded={open}
        onKeyDown={onButtonKey}
      >
        <span className="grid size-7 place-items-center rounded-full border border-line-strong text-xs font-semibold text-ink uppercase">
          {subscription?.email.charAt(0) ?? <User className="size-3.5" aria-hidden="true" />}
        </span>
      </IconButton>
      <div
        ref={menu}
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="fixed inset-auto m-0 w-64 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-1.5 text-ink floating"
      >
        <div className="px-2.5 pt-1.5 pb-2.5">
          <p className="truncate font-medium" title={subscription?.email}>
            Hello, {subscription?.email ?? 'User'}
          </p>
          <p className="label mt-0.5 min-h-4">{subscription && `${subscription.planName} plan`}</p>
        </div>
        <div
          role="menu"
          aria-label="Your account"
          tabIndex={-1}
          onKeyDown={onKey}
          className="border-t border-line pt-1.5"
        >
          <Link to="/app/profile" role="menuitem" tabIndex={-1} onClick={close} className={ITEM}>
            <User className="size-4 text-ink-3" aria-hidden="true" />
            View Profile
          </Link>
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            disabled={leaving}
            onClick={() => {
              setLeaving(true);
              void logout();
            }}
            className={ITEM}
          >
            <LogOut className="size-4 text-ink-3" aria-hidden="true" />
            Logout
          </button>
        </div>
      </div>
    </>
  );
}

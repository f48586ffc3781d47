import { useQueryClient } from '@tanstack/react-query';
import { LogOut, RefreshCw, Sparkles, User } from 'lucide-react';
import { useId, useState } from 'react';
import type { Subscription } from '#features/accounts/contract/subscriptions.ts';
import { useLogout } from '#features/accounts/web/auth/use-logout.ts';
import type { Account } from '#features/accounts/web/subscriptions/use-subscription.ts';
import { cx } from '#ui/cx.ts';
import { Menu, MenuItem, MenuLink } from '#ui/menu.tsx';
import { toast } from '#ui/toast.ts';
import type { Overlay } from './dialogs.tsx';
import { IconButton } from './icon-button.tsx';
import { useUnreadNews } from './news-read.ts';

type Props = { subscription: Subscription | null; onOpen: (overlay: Overlay) => void };

/** The profile dropdown. `subscription` is null while the account is loading. */
function AccountMenu({ subscription, onOpen }: Props) {
  const id = useId();
  const isNews = useUnreadNews();
  const [leaving, setLeaving] = useState(false);
  const logout = useLogout();
  return (
    <Menu
      label="Your account"
      renderOpener={(props) => (
        <IconButton
          {...props}
          aria-label="Your account"
          aria-describedby={isNews ? id : undefined}
          className="relative"
        >
          <span className="grid size-7 place-items-center rounded-full border border-line-strong text-xs font-semibold text-ink uppercase">
            {subscription?.email.charAt(0) ?? <User className="size-3.5" aria-hidden="true" />}
          </span>
          {isNews && (
            <span id={id} className="absolute top-0.5 right-0 size-1.5 rounded-full bg-accent">
              <span className="sr-only">What’s new, unread</span>
            </span>
          )}
        </IconButton>
      )}
      head={
        <div className="mb-1.5 border-b border-line px-2.5 pt-1.5 pb-2.5">
          <p className="truncate font-medium" title={subscription?.email}>
            Hello, {subscription?.email ?? 'User'}
          </p>
          <p className="label mt-0.5 min-h-4">{subscription && `${subscription.planName} plan`}</p>
        </div>
      }
    >
      <MenuLink to="/app/profile">
        <User className="size-4 text-ink-3" aria-hidden="true" />
        View Profile
      </MenuLink>
      <MenuItem onSelect={() => onOpen('news')}>
        <Sparkles className="size-4 text-ink-3" aria-hidden="true" />
        What’s new
        {isNews && <span className="ml-auto size-1.5 rounded-full bg-accent" aria-hidden="true" />}
      </MenuItem>
      <MenuItem
        stays
        disabled={leaving}
        onSelect={() => {
          setLeaving(true);
          void logout();
        }}
      >
        <LogOut className="size-4 text-ink-3" aria-hidden="true" />
        Logout
      </MenuItem>
    </Menu>
  );
}

/** Refetches everything on the page; other data is refetched when it is next shown. */
function RefreshButton() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    if (busy) return;
    setBusy(true);
    await queries.invalidateQueries();
    setBusy(false);
    const shown = queries.getQueryCache().findAll({ type: 'active' });
    if (shown.some(({ state }) => state.status === 'error'))
      toast('error', 'Couldn’t refresh some data. Existing values show their age.');
  };
  return (
    <IconButton
      aria-label={busy ? 'Refreshing' : 'Refresh'}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={() => void refresh()}
    >
      <RefreshCw className={cx('size-4', busy && 'animate-spin')} aria-hidden="true" />
    </IconButton>
  );
}

export type AccountControlsProps = { account: Account; onOpen: (overlay: Overlay) => void };

/** The end of the header for signed-in users. */
export function AccountControls({ account, onOpen }: AccountControlsProps) {
  return (
    <>
      <RefreshButton />
      <AccountMenu subscription={account.state === 'known' ? account.subscription : null} onOpen={onOpen} />
    </>
  );
}

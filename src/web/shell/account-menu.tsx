import { LogOut, User } from 'lucide-react';
import { useState } from 'react';

import { useLogout } from '#features/auth/web/use-logout.ts';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { Menu, MenuItem, MenuLink } from '#web/ui/menu.tsx';

import { IconButton } from './icon-button.tsx';

/** The profile dropdown. `subscription` is null while the account is being read. */
export function AccountMenu({ subscription }: { subscription: Subscription | null }) {
  const [leaving, setLeaving] = useState(false);
  const logout = useLogout();
  return (
    <Menu
      label="Your account"
      renderOpener={(props) => (
        <IconButton {...props} aria-label="Your account">
          <span className="grid size-7 place-items-center rounded-full border border-line-strong text-xs font-semibold text-ink uppercase">
            {subscription?.email.charAt(0) ?? <User className="size-3.5" aria-hidden="true" />}
          </span>
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

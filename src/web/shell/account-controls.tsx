import type { Account } from '#features/subscriptions/web/use-subscription.ts';

import { AccountMenu } from './account-menu.tsx';
import { RefreshButton } from './refresh-button.tsx';

export type AccountControlsProps = { account: Account };

/** The end of the header for who is signed in. */
export function AccountControls({ account }: AccountControlsProps) {
  return (
    <>
      <RefreshButton />
      <AccountMenu subscription={account.state === 'known' ? account.subscription : null} />
    </>
  );
}

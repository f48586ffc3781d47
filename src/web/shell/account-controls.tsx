import type { Account } from '#features/subscriptions/web/use-subscription.ts';

import { AccountMenu } from './account-menu.tsx';
import type { Overlay } from './dialogs.tsx';
import { RefreshButton } from './refresh-button.tsx';

export type AccountControlsProps = { account: Account; onOpen: (overlay: Overlay) => void };

/** The end of the header for who is signed in. */
export function AccountControls({ account, onOpen }: AccountControlsProps) {
  return (
    <>
      <RefreshButton />
      <AccountMenu subscription={account.state === 'known' ? account.subscription : null} onOpen={onOpen} />
    </>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

import type { User } from '#features/accounts/contract/auth.ts';
import { AuthModal } from '#features/accounts/web/auth/auth-modal.tsx';
import { useAccount } from '#features/accounts/web/subscriptions/use-subscription.ts';

export type SignInProps = { mode: 'login' | 'register'; onMode: (mode: string | null) => void };

/** The sign-in dialog. When the user is signed in, also in another tab, the parameter is removed. */
export function SignIn({ mode, onMode }: SignInProps) {
  const queries = useQueryClient();
  const account = useAccount();
  const known = account.state === 'known';
  // The address updates a moment after closing. Another click on the link has a new key and opens the dialog again.
  const { key } = useLocation();
  const [closedAt, setClosedAt] = useState('');
  useEffect(() => {
    if (known) onMode(null);
  }, [known, onMode]);
  if (known || closedAt === key || (account.state === 'unknown' && !account.failed)) return null;

  const close = () => {
    setClosedAt(key);
    onMode(null);
  };

  const enter = ({ isAdmin }: User) => {
    onMode(null);
    if (isAdmin) {
      location.reload();
      return;
    }
    void queries.invalidateQueries();
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  };
  return <AuthModal mode={mode} onMode={onMode} onClose={close} onSignedIn={enter} />;
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

import type { User } from '#features/auth/contract.ts';
import { AuthModal } from '#features/auth/web/auth-modal.tsx';
import { useAccount } from '#features/subscriptions/web/use-subscription.ts';

export type SignInProps = { mode: 'login' | 'register'; onMode: (mode: string | null) => void };

/** The dialog for who is not signed in; for who is, the parameter goes. It also goes when another tab signs in. */
export function SignIn({ mode, onMode }: SignInProps) {
  const queries = useQueryClient();
  const account = useAccount();
  const known = account.state === 'known';
  useEffect(() => {
    if (known) onMode(null);
  }, [known, onMode]);
  if (known || (account.state === 'unknown' && !account.failed)) return null;

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
  return <AuthModal mode={mode} onMode={onMode} onClose={() => onMode(null)} onSignedIn={enter} />;
}

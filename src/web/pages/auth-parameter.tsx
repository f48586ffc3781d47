import { useEffect } from 'react';

import { part } from '#web/ui/part.tsx';
import { toast } from '#web/ui/toast.ts';

import type { SignInProps } from './sign-in.tsx';
import { useAddress } from './use-address.ts';

const SignIn = part<SignInProps>({
  name: 'Signing in',
  load: async () => (await import('./sign-in.tsx')).SignIn,
  failed: ({ onMode }) => <Missing onClose={() => onMode(null)} />,
});

function Missing({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    toast('error', 'Signing in could not be loaded. The server cannot be reached.');
    onClose();
  });
  return null;
}

/** Any page of the app opens the sign-in dialog by `?auth=login` or `?auth=register`. */
export function AuthParameter() {
  const [mode, onMode] = useAddress('auth', true);
  if (mode !== 'login' && mode !== 'register') return null;
  return <SignIn mode={mode} onMode={onMode} />;
}

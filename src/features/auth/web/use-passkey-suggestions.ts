import { useEffect, useRef } from 'react';

import type { SignedIn } from '../contract.ts';
import { passkeysWork } from './passkey-support.ts';

/** From the first focus of the email on, the browser may suggest passkeys for it. Returns what that focus calls. */
export function usePasskeySuggestions(onChosen: (signIn: () => Promise<SignedIn>) => void): () => void {
  const asking = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      asking.current?.abort();
      asking.current = null;
    },
    [],
  );
  return () => {
    if (asking.current || !passkeysWork()) return;
    const controller = new AbortController();
    asking.current = controller;
    import('./passkey.ts')
      .then(({ suggestPasskeys }) => suggestPasskeys(controller.signal))
      .then((signIn) => {
        if (signIn && !controller.signal.aborted) onChosen(signIn);
      })
      .catch(() => undefined);
  };
}

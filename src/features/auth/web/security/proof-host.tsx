import { useEffect, useRef, useState } from 'react';

import { attachProof } from '#web/api/proof.ts';

import { ProofDialog } from './proof-dialog.tsx';

/** Shows the dialog whenever a call of this page needs a fresh proof of the person. */
export function ProofHost() {
  const [shown, show] = useState(false);
  const waiting = useRef<(proved: boolean) => void>(undefined);
  useEffect(() => {
    const detach = attachProof(
      () =>
        new Promise((resolve) => {
          waiting.current = resolve;
          show(true);
        }),
    );
    return () => {
      detach();
      waiting.current?.(false);
    };
  }, []);
  if (!shown) return null;
  return (
    <ProofDialog
      onEnd={(proved) => {
        show(false);
        waiting.current?.(proved);
      }}
    />
  );
}

import type { ReactNode } from 'react';

import { FormError, PRIMARY, SECONDARY } from './form.tsx';
import { Modal } from './modal.tsx';
import { useSubmit } from './use-submit.ts';

type Props = {
  title: string;
  children: ReactNode;
  /** Label of the button that cancels. */
  keep?: string;
  /** Label of the confirming button, and while it acts. */
  words: readonly [text: string, busy: string];
  failed: string;
  act: (signal: AbortSignal) => Promise<unknown>;
  onClose: () => void;
};

/** Asks for confirmation before something is deleted. It closes itself once that is done. */
export function ConfirmDialog({
  title,
  children,
  keep = 'Cancel',
  words: [text, busyText],
  failed,
  act,
  onClose,
}: Props) {
  const { busy, failure, submit } = useSubmit(failed, async (signal) => {
    await act(signal);
    onClose();
  });
  return (
    <Modal title={title} onClose={onClose}>
      <div className="grid gap-3 text-sm">
        <p className="text-ink-2">{children}</p>
        <FormError failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            {keep}
          </button>
          <button type="button" aria-disabled={busy} onClick={() => void submit()} className={PRIMARY}>
            {busy ? busyText : text}
          </button>
        </div>
      </div>
    </Modal>
  );
}

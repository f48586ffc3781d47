import type { ReactNode } from 'react';

import { FormError, SECONDARY, Submit } from './form.tsx';
import { Modal } from './modal.tsx';

type Props = {
  title: string;
  /** Label of the submit button. */
  act: string;
  busy: boolean;
  disabled?: boolean;
  failure: Parameters<typeof FormError>[0]['failure'];
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog with a form that changes something: its fields, the error, Cancel and Submit. */
export function FormDialog({ title, act, busy, disabled, failure, onSubmit, onClose, children }: Props) {
  return (
    <Modal title={title} onClose={onClose}>
      <form
        className="grid gap-4 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {children}
        <FormError failure={failure} />
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" onClick={onClose} className={SECONDARY}>
            Cancel
          </button>
          <Submit busy={busy} busyText="Saving..." disabled={disabled ?? false} className="!w-auto">
            {act}
          </Submit>
        </div>
      </form>
    </Modal>
  );
}

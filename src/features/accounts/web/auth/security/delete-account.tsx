import { useState } from 'react';

import { Card } from '#ui/card.tsx';
import { part } from '#ui/part.tsx';

import type { DeleteAccountProps } from './delete-account-dialog.tsx';

const DeleteAccountDialog = part<DeleteAccountProps>({
  name: 'The dialog',
  load: async () => (await import('./delete-account-dialog.tsx')).DeleteAccountDialog,
});

export function DeleteAccount(props: Omit<DeleteAccountProps, 'onClose'>) {
  const [open, setOpen] = useState(false);
  return (
    <Card id="delete-account" title="Delete Account">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-1 pb-4">
        <p className="max-w-[60ch] text-sm text-ink-2">
          Your account and everything in it is removed immediately. This action cannot be undone.
        </p>
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="inline-flex h-11 items-center rounded-ctl border border-down px-4 text-base font-medium whitespace-nowrap text-down hover:bg-down/10 sm:h-10"
        >
          Delete Account
        </button>
      </div>
      {open && <DeleteAccountDialog {...props} onClose={() => setOpen(false)} />}
    </Card>
  );
}

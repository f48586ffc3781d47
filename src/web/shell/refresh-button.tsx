import { useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';

import { cx } from '#web/ui/cx.ts';
import { toast } from '#web/ui/toast.ts';

import { IconButton } from './icon-button.tsx';

/** Reads everything on the page again; what is not on it is read when it is next shown. */
export function RefreshButton() {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    if (busy) return;
    setBusy(true);
    await queries.invalidateQueries();
    setBusy(false);
    const shown = queries.getQueryCache().findAll({ type: 'active' });
    if (shown.some(({ state }) => state.status === 'error'))
      toast('error', 'Not everything could be read again. What stays shows its age.');
  };
  return (
    <IconButton
      aria-label={busy ? 'Refreshing' : 'Refresh'}
      aria-busy={busy}
      aria-disabled={busy}
      onClick={() => void refresh()}
    >
      <RefreshCw className={cx('size-4', busy && 'animate-spin')} aria-hidden="true" />
    </IconButton>
  );
}

import { useQueryClient } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { toast } from '#web/ui/toast.ts';

import { deleteExport, type ExportItem } from '../contract.ts';
import { refreshExports } from './queries.ts';

export type DeleteProps = { item: ExportItem; name: string; onClose: () => void };

export function DeleteExport({ item: { id, file_name }, name, onClose }: DeleteProps) {
  const queries = useQueryClient();
  const act = async (signal: AbortSignal) => {
    await call(deleteExport, { params: { id } }, signal);
    toast('success', 'Export deleted');
    void refreshExports(queries);
  };
  return (
    <ConfirmDialog
      title="Delete this export?"
      words={['Delete', 'Deleting...']}
      failed="Failed to delete the export"
      act={act}
      onClose={onClose}
    >
      The file <span className="font-medium break-words text-ink">{file_name ?? name}</span> is removed from the server.
      Copies that you have downloaded stay.
    </ConfirmDialog>
  );
}

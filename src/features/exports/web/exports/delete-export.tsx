import { useQueryClient } from '@tanstack/react-query';
import { deleteExport, type ExportItem } from '#features/exports/contract/exports.ts';
import { call } from '#ui/api/client.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';
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
      The file <span className="font-medium break-words text-ink">{file_name ?? name}</span> will be removed from the
      server. Copies you have downloaded are not affected.
    </ConfirmDialog>
  );
}

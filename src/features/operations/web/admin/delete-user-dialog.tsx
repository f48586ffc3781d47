import { useQueryClient } from '@tanstack/react-query';
import { type AdminUser, deleteUser } from '#features/operations/contract/admin.ts';
import { CallError } from '#ui/api/client.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { toast } from '#ui/toast.ts';
import { Told } from '#ui/use-submit.ts';

export type DeleteUserProps = { user: AdminUser; onClose: () => void; onDeleted?: () => void };

const FAILED = 'Failed to delete user';

export function DeleteUserDialog({ user: { id, email }, onClose, onDeleted }: DeleteUserProps) {
  const queries = useQueryClient();

  async function remove(signal: AbortSignal): Promise<void> {
    try {
      if (!(await callWithProof(deleteUser, { params: { id: String(id) } }, signal))) return;
    } catch (error) {
      throw new Told(`${FAILED}: ${error instanceof CallError && error.told ? error.message : FAILED}`);
    }
    toast('success', `User ${email} deleted successfully`);
    for (const name of ['admin-users', 'admin-user-count', 'admin-audit'])
      void queries.invalidateQueries({ queryKey: [name] });
    onDeleted?.();
  }

  return (
    <ConfirmDialog title="Delete user" words={['Delete', 'Deleting...']} failed={FAILED} act={remove} onClose={onClose}>
      <span className="[overflow-wrap:anywhere]">
        Are you sure you want to delete user {email}? This action cannot be undone.
      </span>
    </ConfirmDialog>
  );
}

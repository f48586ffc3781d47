import { Modal } from '#ui/modal.tsx';

import { BackupCodes } from './backup-codes.tsx';

export type NewCodesProps = { codes: readonly string[]; onClose: () => void };

export function NewBackupCodes({ codes, onClose }: NewCodesProps) {
  return (
    <Modal title="New backup codes" locked onClose={onClose}>
      <p className="mb-3 text-sm font-medium">The old codes no longer work.</p>
      <BackupCodes codes={codes} onDone={onClose} />
    </Modal>
  );
}

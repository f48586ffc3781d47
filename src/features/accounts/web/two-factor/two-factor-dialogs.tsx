import { useState } from 'react';

import { disableTwoFactor, enableTwoFactor } from '#features/accounts/contract/two-factor.ts';
import { callWithProof } from '#ui/api/proof.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Field } from '#ui/field.tsx';
import { FormError, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { toast } from '#ui/toast.ts';
import { useSubmit } from '#ui/use-submit.ts';

import { BackupCodes } from './backup-codes.tsx';

export type DisableProps = { onDone: () => void; onClose: () => void };

export function DisableTwoFactor({ onDone, onClose }: DisableProps) {
  const act = async (signal: AbortSignal) => {
    if (!(await callWithProof(disableTwoFactor, {}, signal))) return;
    toast('success', 'Two-factor sign-in is off');
    onDone();
  };
  return (
    <ConfirmDialog
      title="Turn off two-factor sign-in?"
      words={['Turn Off', 'Turning off...']}
      failed="Failed to turn off two-factor sign-in"
      act={act}
      onClose={onClose}
    >
      You will sign in with your password only. Your authenticator app and backup codes will stop working for this
      account.
    </ConfirmDialog>
  );
}

export type NewCodesProps = { codes: readonly string[]; onClose: () => void };

export function NewBackupCodes({ codes, onClose }: NewCodesProps) {
  return (
    <Modal title="New backup codes" locked onClose={onClose}>
      <p className="mb-3 text-sm font-medium">The old codes no longer work.</p>
      <BackupCodes codes={codes} onDone={onClose} />
    </Modal>
  );
}

export type SetUpProps = { secret: string; uri: string; onClose: () => void };

const DIGITS = 6;

/** The secret, a code confirming it was scanned, then the backup codes. */
export function SetUpTwoFactor({ secret, uri, onClose }: SetUpProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes)
    return (
      <Modal title="Two-factor sign-in is on" locked onClose={onClose}>
        <BackupCodes codes={codes} onDone={onClose} />
      </Modal>
    );
  return (
    <Modal title="Set up two-factor sign-in" onClose={onClose}>
      <ol className="grid gap-5 text-sm">
        <li>
          <h3 className="font-semibold">1. Add the account to your authenticator app</h3>
          <div className="mt-2 flex flex-wrap items-start gap-4">
            <QrCode text={uri} label="QR code for your authenticator app" className="size-44 shrink-0" />
            <div className="min-w-44 flex-1">
              <p className="text-ink-2">Scan the code, or type this key into the app:</p>
              <p className="num my-2 font-mono text-base break-words">{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
              <CopyButton text={secret} what="Key" />
            </div>
          </div>
        </li>
        <li>
          <h3 className="mb-2 font-semibold">2. Enter the code from the app</h3>
          <CodeForm onCodes={setCodes} />
        </li>
      </ol>
    </Modal>
  );
}

function CodeForm({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('');
  const { busy, failure, submit } = useSubmit('Couldn’t verify the code', async (signal) => {
    const reply = await callWithProof(enableTwoFactor, { body: { code } }, signal);
    if (reply) onCodes(reply.backupCodes);
  });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="Six-digit code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={DIGITS + 1}
        value={code}
        onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, '').slice(0, DIGITS))}
        className="num tracking-[0.2em]"
      />
      <FormError failure={failure} />
      <Submit busy={busy} busyText="Checking..." disabled={code.length < DIGITS}>
        Turn On
      </Submit>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { reauthenticate } from '#features/auth/contract.ts';
import { call } from '#web/api/client.ts';
import { tokenNow, useToken } from '#web/session.ts';
import { FormError, SECONDARY, Submit } from '#web/ui/form.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { Told, useSubmit } from '#web/ui/use-submit.ts';
import { passkeysWork } from '../passkey-support.ts';
import { passkeysQuery } from './queries.ts';

const NOT_USED = 'No passkey was used. Try again, or enter your password.';

type Props = { onEnd: (proved: boolean) => void };

/** Asks whoever sits here to prove that they are the account's owner. */
export function ProofDialog({ onEnd }: Props) {
  const [password, setPassword] = useState('');
  const { busy, failure, submit } = useSubmit('The password could not be checked', async (signal) => {
    await call(reauthenticate, { body: { password } }, signal);
    onEnd(true);
  });
  return (
    <Modal title="Confirm that it is you" onClose={() => onEnd(false)}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-sm text-ink-2">
          This changes how your account is protected, or cannot be undone. You will not be asked again for 15 minutes.
        </p>
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormError failure={failure} />
        <Submit busy={busy} busyText="Checking...">
          Confirm
        </Submit>
        {passkeysWork() && <ByPasskey onEnd={onEnd} />}
      </form>
    </Modal>
  );
}

function ByPasskey({ onEnd }: Props) {
  const { data } = useQuery(passkeysQuery(useToken()));
  const { busy, failure, submit } = useSubmit('The passkey could not be checked', async (signal) => {
    const { NoPasskey, signInWithPasskey } = await import('../passkey.ts');
    const { token } = await signInWithPasskey(signal).catch((error: unknown) => {
      throw error instanceof NoPasskey ? new Told(NOT_USED) : error;
    });
    if (token !== tokenNow()) throw new Told('This passkey belongs to another account.');
    onEnd(true);
  });
  if (!data?.passkeys.length) return null;
  return (
    <>
      <button type="button" aria-disabled={busy} onClick={() => void submit()} className={SECONDARY}>
        <KeyRound className="size-4" aria-hidden="true" />
        {busy ? 'Waiting for the passkey...' : 'Use a passkey'}
      </button>
      <FormError failure={failure} />
    </>
  );
}

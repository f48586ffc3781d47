import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { reauthenticate } from '#features/accounts/contract/auth.ts';
import { proveByCode } from '#features/accounts/contract/two-factor.ts';
import { call } from '#ui/api/client.ts';
import { attachProof } from '#ui/api/proof.ts';
import { Field } from '#ui/field.tsx';
import { FormError, SECONDARY, Submit } from '#ui/form.tsx';
import { Modal } from '#ui/modal.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { tokenNow, useToken } from '#ui/session.ts';
import { Told, useSubmit } from '#ui/use-submit.ts';

import { passkeysWork } from '../passkey-support.ts';
import { passkeysQuery, twoFactorQuery } from './queries.ts';

const NOT_USED = 'No passkey was used. Try again, or use the field above.';

type Props = { onEnd: (proved: boolean) => void };

/** Asks for confirmation of identity: a code with a second factor, otherwise the password. */
function ProofDialog({ onEnd }: Props) {
  const { data, isPending } = useQuery(twoFactorQuery(useToken()));
  const byCode = data?.enabled === true;
  const [typed, setTyped] = useState('');
  const { busy, failure, submit } = useSubmit(
    byCode ? 'Couldn’t verify the code' : 'Couldn’t verify the password',
    async (signal) => {
      if (byCode) await call(proveByCode, { body: { code: typed.replaceAll(/\s/g, '') } }, signal);
      else await call(reauthenticate, { body: { password: typed } }, signal);
      onEnd(true);
    },
  );
  const field = {
    required: true,
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value),
  };
  // A password typed before the method is known would be lost.
  if (isPending) return null;
  return (
    <Modal title="Confirm it’s you" onClose={() => onEnd(false)}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p className="text-sm text-ink-2">
          This action reads personal data, changes access to your account or cannot be undone. You won’t be asked again
          for 15 minutes.
        </p>
        {byCode ? (
          <Field
            key="code"
            label="Code from your authenticator app, or a backup code"
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            minLength={6}
            maxLength={32}
            className="num tracking-[0.2em]"
            {...field}
          />
        ) : (
          <PasswordField label="Password" name="password" autoComplete="current-password" {...field} />
        )}
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
  const { busy, failure, submit } = useSubmit('Couldn’t verify the passkey', async (signal) => {
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

/** Shows the dialog whenever a request of this page needs a fresh sign-in. */
export function ProofHost() {
  const [shown, show] = useState(false);
  const waiting = useRef<(proved: boolean) => void>(undefined);
  useEffect(() => {
    const detach = attachProof(
      () =>
        new Promise((resolve) => {
          waiting.current = resolve;
          show(true);
        }),
    );
    return () => {
      detach();
      waiting.current?.(false);
    };
  }, []);
  if (!shown) return null;
  return (
    <ProofDialog
      onEnd={(proved) => {
        show(false);
        waiting.current?.(proved);
      }}
    />
  );
}

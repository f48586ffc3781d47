import { type FormEvent, useState } from 'react';
import type { SignedIn } from '#features/accounts/contract/auth.ts';
import { BRAND } from '#shared/brand.ts';
import { Field } from '#ui/field.tsx';
import { FormError, Submit, TEXT_LINK } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { proveSecondFactor } from './queries.ts';
import { ViewText } from './view-text.tsx';

type Props = { challenge: string; onSignedIn: (signedIn: SignedIn) => void };

export function TwoFactorView({ challenge, onSignedIn }: Props) {
  const [backup, setBackup] = useState(false);
  const [typed, setTyped] = useState('');
  const { busy, failure, fail, submit } = useSubmit('Authentication failed', async (signal) =>
    onSignedIn(await proveSecondFactor({ challenge, code: typed.replaceAll(/\s/g, '') }, signal)),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const change = () => {
    setBackup(!backup);
    setTyped('');
    fail(null);
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Two-factor code">
        {backup
          ? 'Enter one of your backup codes. Each works once.'
          : `Enter the six-digit code your authenticator app shows for ${BRAND.name}.`}
      </ViewText>
      <Field
        key={backup ? 'backup' : 'app'}
        label={backup ? 'Backup code' : 'Code'}
        name="code"
        required
        autoCapitalize="none"
        spellCheck={false}
        className="num tracking-[0.2em]"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        {...(backup
          ? { autoComplete: 'off', minLength: 6, maxLength: 32 }
          : {
              autoComplete: 'one-time-code',
              inputMode: 'numeric',
              pattern: '\\d{3} ?\\d{3}',
              maxLength: 7,
              title: 'Six digits',
            })}
      />
      <FormError failure={failure} />
      <Submit busy={busy} busyText="Verifying…">
        Verify
      </Submit>
      <button type="button" onClick={change} className={`${TEXT_LINK} h-10 justify-self-center text-sm`}>
        {backup ? 'Use the authenticator app instead' : 'Use a backup code instead'}
      </button>
    </form>
  );
}

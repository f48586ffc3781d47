import { type FormEvent, useState } from 'react';
import { DemoMail } from '#ui/demo-mail.tsx';
import { FormError, FormNote, Submit } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { EmailField } from './email-field.tsx';
import { askForReset } from './queries.ts';

/** Asks for a new link where the old one no longer works. */
export function RequestResetForm() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ demoMail?: string | undefined } | null>(null);
  const { busy, failure, submit } = useSubmit('Failed to send password reset email', async (signal) =>
    setSent(await askForReset(email, signal)),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <EmailField value={email} onType={setEmail} />
      <FormError failure={failure} />
      {sent && <FormNote>If an account with that email exists, a password reset link has been sent.</FormNote>}
      <DemoMail href={sent?.demoMail} />
      <Submit busy={busy} busyText="Sending…">
        Request a new link
      </Submit>
    </form>
  );
}

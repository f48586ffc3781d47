import { type FormEvent, useState } from 'react';
import { DemoMail } from '#ui/demo-mail.tsx';
import { FormError, FormNote, Submit } from '#ui/form.tsx';
import { useSubmit } from '#ui/use-submit.ts';
import { EmailField } from './email-field.tsx';
import { askForConfirmation } from './queries.ts';

type Props = {
  /** Without it the form has an email field. */
  email?: string;
  /** Where to read the first email. */
  demoMail?: string | undefined;
};

export function ResendForm({ email, demoMail }: Props) {
  const [typed, setTyped] = useState('');
  const [sent, setSent] = useState<{ demoMail?: string | undefined } | null>(null);
  const { busy, failure, submit } = useSubmit('Failed to resend confirmation email', async (signal) => {
    setSent(null);
    setSent(await askForConfirmation(email ?? typed, signal));
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      {email === undefined && <EmailField value={typed} onType={setTyped} />}
      <DemoMail href={sent?.demoMail ?? demoMail} />
      <FormError failure={failure} />
      {sent && <FormNote>Confirmation email resent! Please check your inbox.</FormNote>}
      <Submit busy={busy} busyText="Sending…">
        Resend Confirmation Email
      </Submit>
    </form>
  );
}

import type { FormEvent } from 'react';
import { DemoMail } from '#web/ui/demo-mail.tsx';
import { FormError, Submit } from '#web/ui/form.tsx';
import { useSubmit } from '#web/ui/use-submit.ts';
import { EmailField } from './email-field.tsx';
import { askForReset } from './queries.ts';
import { ViewText } from './view-text.tsx';

type ForgotProps = {
  email: string;
  onType: (email: string) => void;
  onSent: (demoMail: string | undefined) => void;
};

export function ForgotView({ email, onType, onSent }: ForgotProps) {
  const { busy, failure, submit } = useSubmit('Failed to send password reset email', async (signal) =>
    onSent((await askForReset(email, signal)).demoMail),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Forgot your password?">
        Enter the email of your account. We send you a link with which you choose a new password.
      </ViewText>
      <EmailField value={email} onType={onType} />
      <FormError failure={failure} />
      <Submit busy={busy} busyText="Sending…">
        Send Reset Link
      </Submit>
    </form>
  );
}

export function ResetSentView({ demoMail }: { demoMail: string | undefined }) {
  return (
    <div className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Check your inbox">
        If an account with that email exists, a password reset link has been sent.
      </ViewText>
      <DemoMail href={demoMail} />
    </div>
  );
}

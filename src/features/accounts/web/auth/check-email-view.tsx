import { ResendForm } from './resend-form.tsx';
import { ViewText } from './view-text.tsx';

type Props = { email: string; demoMail: string | undefined };

export function CheckEmailView({ email, demoMail }: Props) {
  return (
    <div className="grid gap-4 p-5 pt-3 sm:p-6 sm:pt-3">
      <ViewText title="Check Your Email">
        We sent a message to <strong className="font-medium break-all text-ink">{email}</strong>. Its link confirms your
        address and signs you in. It works once and expires in 24 hours.
      </ViewText>
      <ResendForm email={email} demoMail={demoMail} />
    </div>
  );
}

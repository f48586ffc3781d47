import { ResendForm } from '#features/auth/web/resend-form.tsx';
import { SECONDARY } from '#web/ui/form.tsx';
import { Link } from '#web/ui/link.tsx';

import { AccountFrame } from './account-frame.tsx';

export function ResendConfirmationPage() {
  return (
    <AccountFrame title="Resend Confirmation Email">
      <p className="text-ink-2">Enter the email you signed up with. We send you a new link; the old one ends.</p>
      <ResendForm />
      <Link to="/login" className={SECONDARY}>
        Back to Login
      </Link>
    </AccountFrame>
  );
}

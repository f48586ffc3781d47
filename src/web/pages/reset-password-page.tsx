import { CircleCheck, LinkIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ResetForm } from '#features/auth/web/reset-form.tsx';
import { PRIMARY } from '#web/ui/form.tsx';
import { useSearchParams } from '#web/ui/search-params.ts';

import { AccountFrame } from './account-frame.tsx';

/** The token of the link stays in this page only: not in the address bar, not in the history. */
function useLinkToken(): string | null {
  const [params] = useSearchParams();
  const [token] = useState(() => params.get('token'));
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (search) void navigate(pathname, { replace: true });
  }, [pathname, search, navigate]);
  return token;
}

export function ResetPasswordPage() {
  const token = useLinkToken();
  const [done, setDone] = useState(false);
  if (done) return <Done />;
  if (!token) return <Invalid />;
  return (
    <AccountFrame title="Reset Your Password" tab="Reset password">
      <ResetForm token={token} onDone={() => setDone(true)} />
    </AccountFrame>
  );
}

function Invalid() {
  return (
    <AccountFrame title="Invalid Reset Link" icon={<LinkIcon className="mb-3 size-6 text-warn" aria-hidden="true" />}>
      <p className="text-ink-2">This password reset link is invalid or has expired. Please request a new one.</p>
      <a href="/" className={PRIMARY}>
        Go to Homepage
      </a>
    </AccountFrame>
  );
}

function Done() {
  return (
    <AccountFrame
      title="Password Reset Successful"
      icon={<CircleCheck className="mb-3 size-6 text-up" aria-hidden="true" />}
    >
      <p className="text-ink-2">Every device has been signed out. Sign in with your new password.</p>
      <a href="/" className={PRIMARY}>
        Sign In
      </a>
    </AccountFrame>
  );
}

import { Navigate, Route, Routes } from 'react-router';

import { MOVED } from '#shared/moved.ts';

import { ConfirmErrorPage } from './confirm-error-page.tsx';
import { ConfirmSuccessPage } from './confirm-success-page.tsx';
import { ResendConfirmationPage } from './resend-confirmation-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { UnsubscribeSuccessPage } from './unsubscribe-success-page.tsx';

/** What links of our mails lead to, outside the shell. Any other address is the app. */
export function AccountPages() {
  return (
    <Routes>
      <Route path="/reset-password" element={<ResetPasswordPage />} />
      <Route path="/resend-confirmation" element={<ResendConfirmationPage />} />
      <Route path="/auth/confirm-success" element={<ConfirmSuccessPage />} />
      <Route path="/auth/confirm-error" element={<ConfirmErrorPage />} />
      <Route path="/unsubscribe-success" element={<UnsubscribeSuccessPage />} />
      {MOVED.map(([from, to]) => (
        <Route key={from} path={from} element={<Navigate to={to} replace />} />
      ))}
      <Route path="*" element={<Navigate to="/app" replace />} />
    </Routes>
  );
}

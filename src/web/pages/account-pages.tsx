import { Navigate, Route, Routes } from 'react-router';

import { ConfirmErrorPage } from './confirm-error-page.tsx';
import { ConfirmSuccessPage } from './confirm-success-page.tsx';
import { ResendConfirmationPage } from './resend-confirmation-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

/** Addresses without the app's prefix, as other pages link to them. */
const MOVED = [
  ['/login', '/app?auth=login'],
  ['/settings', '/app/profile?tab=notifications'],
  ['/advanced-analytics', '/app/advanced-analytics'],
  ['/advanced-export', '/app/advanced-export'],
] as const;

/** What links of our mails lead to, outside the shell. Any other address is the app. */
export function AccountPages() {
  return (
    <Routes>
      <Route path="/reset-password" element={<ResetPasswordPage />} />
      <Route path="/resend-confirmation" element={<ResendConfirmationPage />} />
      <Route path="/auth/confirm-success" element={<ConfirmSuccessPage />} />
      <Route path="/auth/confirm-error" element={<ConfirmErrorPage />} />
      {MOVED.map(([from, to]) => (
        <Route key={from} path={from} element={<Navigate to={to} replace />} />
      ))}
      <Route path="*" element={<Navigate to="/app" replace />} />
    </Routes>
  );
}

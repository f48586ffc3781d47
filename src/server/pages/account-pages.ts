/** Pages that links of our mails open, by the name of their tab. A token may stand in their address: no referrer, no index. */
export const ACCOUNT_PAGES: Record<string, string> = {
  '/reset-password': 'Reset password',
  '/resend-confirmation': 'Resend Confirmation Email',
  '/auth/confirm-success': 'Email confirmed',
  '/auth/confirm-error': 'Email confirmation',
};

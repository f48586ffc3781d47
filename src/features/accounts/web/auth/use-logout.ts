import { useCallback } from 'react';
import { logout } from '#features/accounts/contract/auth.ts';
import { call } from '#ui/api/client.ts';
import { clearSession, runSignOutHandlers } from '#ui/session.ts';

const LONGEST_WAIT_MS = 4_000;

/** Ends the session on the server and in this browser; in the browser even if the server cannot be reached. */
export function useLogout(): () => Promise<void> {
  return useCallback(async () => {
    await runSignOutHandlers();
    await call(logout, {}, AbortSignal.timeout(LONGEST_WAIT_MS)).catch(() => undefined);
    clearSession();
    location.reload();
  }, []);
}

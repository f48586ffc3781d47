import { useBrowserValue } from './use-hydrated.tsx';

const TOKEN = 'authToken';
const OLD_TOKEN = 'token';
const USER = 'user';
/** Stored data of the signed-in user. */
const PERSONAL = [TOKEN, OLD_TOKEN, USER, 'lastSeenAlertId'];

const MAX_SIGN_OUT_DELAY_MS = 2000;

const listeners = new Set<() => void>();
const notifyListeners = () => {
  for (const listener of listeners) listener();
};

/** The bearer token: `authToken` is written, `token` is read as fallback. Null where storage is blocked. */
export function tokenNow(): string | null {
  try {
    return localStorage.getItem(TOKEN) ?? localStorage.getItem(OLD_TOKEN);
  } catch {
    return null;
  }
}

/** Whether the stored user was an admin at sign-in: only good for reserving space. */
export function isAdminKept(): boolean {
  try {
    return /"isAdmin":true/.test(localStorage.getItem(USER) ?? '');
  } catch {
    return false;
  }
}

/** Without `user`, only the token is stored until the server has returned its user. */
export function startSession(token: string, user?: { id: number; email: string }): void {
  localStorage.setItem(TOKEN, token);
  if (user) localStorage.setItem(USER, JSON.stringify(user));
  else localStorage.removeItem(USER);
  notifyListeners();
}

/** Clears the session in this browser; callers notify the server. Without a session nothing is sent. */
export function clearSession(): void {
  const known = tokenNow() !== null;
  for (const key of PERSONAL) localStorage.removeItem(key);
  if (known) notifyListeners();
}

const partings = new Set<() => Promise<unknown>>();

/** Registers a step that needs the token, run before sign-out. */
export const beforeSignOut = (step: () => Promise<unknown>): void => void partings.add(step);

/** Waits for sign-out steps, two seconds at most; a failing step does not block the sign-out. */
export async function runSignOutHandlers(): Promise<void> {
  if (partings.size === 0) return;
  const late = new Promise((resolve) => setTimeout(resolve, MAX_SIGN_OUT_DELAY_MS));
  await Promise.race([Promise.allSettled([...partings].map((step) => step())), late]);
}

/** Runs at every change of the token, also in another tab. Returns a function that unsubscribes. */
export function onSession(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === TOKEN || key === OLD_TOKEN) listener();
  };
  listeners.add(listener);
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

/** The token of this browser; null on the server and in the first view, which is the same for all users. */
export const useToken = (): string | null => useBrowserValue(onSession, tokenNow, null);

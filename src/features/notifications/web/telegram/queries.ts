import { queryOptions } from '@tanstack/react-query';
import { getDemoChat, getTelegramStatus } from '#features/notifications/contract/telegram.ts';
import { CallError, call } from '#ui/api/client.ts';

export const POLL_MS = 3_000;

/** Polled every three seconds while a code is pending, so that the panel switches to connected automatically. */
export const telegramQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['telegram', token],
    enabled: token !== null,
    queryFn: async ({ signal }) => (await call(getTelegramStatus, {}, signal)).status,
    refetchInterval: ({ state }) => (state.data?.hasValidCode ? POLL_MS : false),
    // The user is in another window at that point.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });

/** Demo mode: the chat and its connection, polled while the page is visible. */
export const demoChatQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['telegram', token, 'chat'],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getDemoChat, {}, signal),
    refetchInterval: POLL_MS,
  });

/** Message for a call: with the server's reason if it was refused, otherwise the one for a missing response. */
export function errorSentence(error: unknown, refused: (words: string) => string, lost: string): string {
  return error instanceof CallError && error.status !== 0 ? refused(error.message) : lost;
}

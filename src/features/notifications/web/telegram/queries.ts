import { queryOptions } from '@tanstack/react-query';
import { getDemoChat, getTelegramStatus } from '#features/notifications/contract/telegram.ts';
import { CallError, call } from '#ui/api/client.ts';

export const POLL_MS = 3_000;

/** While a code waits for its chat it is asked every three seconds, so that the panel turns to connected by itself. */
export const telegramQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['telegram', token],
    enabled: token !== null,
    queryFn: async ({ signal }) => (await call(getTelegramStatus, {}, signal)).status,
    refetchInterval: ({ state }) => (state.data?.hasValidCode ? POLL_MS : false),
    // The person is in another window then.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });

/** Demo mode: the chat, and beside it whether it is connected, looked at again while they are on the page. */
export const demoChatQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['telegram', token, 'chat'],
    enabled: token !== null,
    queryFn: ({ signal }) => call(getDemoChat, {}, signal),
    refetchInterval: POLL_MS,
  });

/** The sentence for a call that the server refused, or, without an answer, the other one. */
export function sentenceOf(error: unknown, refused: (words: string) => string, lost: string): string {
  return error instanceof CallError && error.status !== 0 ? refused(error.message) : lost;
}

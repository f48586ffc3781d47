import { queryOptions } from '@tanstack/react-query';
import {
  type Broadcast,
  getBotAudience,
  getBotState,
  getBotWebhook,
  listBotChats,
  listBotCommands,
  listBroadcasts,
} from '#features/notifications/contract/telegram.ts';
import { call } from '#ui/api/client.ts';

const STATE_MS = 15_000;
const PROGRESS_MS = 2_000;

export const isUnderWay = ({ state }: Pick<Broadcast, 'state'>): boolean => state === 'running' || state === 'stopping';

export const botStateQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['bot', 'state', token],
    queryFn: ({ signal }) => call(getBotState, {}, signal),
    refetchInterval: STATE_MS,
  });

/** Queries Telegram itself, so only on demand. */
export const botWebhookQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['bot', 'webhook', token],
    queryFn: ({ signal }) => call(getBotWebhook, {}, signal),
    refetchInterval: 4 * STATE_MS,
  });

export const botChatsQuery = (token: string | null, q: string, before: string | null) =>
  queryOptions({
    queryKey: ['bot', 'chats', token, q, before],
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(listBotChats, { query: { ...(q ? { q } : {}), ...(before === null ? {} : { before }) } }, signal),
  });

export const botCommandsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['bot', 'commands', token],
    queryFn: async ({ signal }) => (await call(listBotCommands, {}, signal)).commands,
    refetchInterval: STATE_MS,
  });

export const botAudienceQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['bot', 'audience', token],
    queryFn: ({ signal }) => call(getBotAudience, {}, signal),
    refetchInterval: STATE_MS,
  });

/** Refetched every two seconds while one is in progress. */
export const broadcastsQuery = (token: string | null, before: number | null) =>
  queryOptions({
    queryKey: ['bot', 'broadcasts', token, before],
    queryFn: ({ signal }) => call(listBroadcasts, { query: before === null ? {} : { before } }, signal),
    refetchInterval: ({ state }) => (state.data?.broadcasts.some(isUnderWay) ? PROGRESS_MS : false),
  });

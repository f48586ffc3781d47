import { queryOptions } from '@tanstack/react-query';

import { getChallenge, getMessage, listMessages, type MessageStatus } from '#features/contact/contract.ts';
import { call } from '#ui/api/client.ts';
import type { Tone } from '#ui/badge.tsx';

/** A challenge is fetched for every message: it is valid once. */
export const challengeQuery = (round: number) =>
  queryOptions({
    queryKey: ['contact-challenge', round],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) => call(getChallenge, {}, signal),
  });

/** A page of the inbox is not refetched: a new message would shift its entries. */
export const messagesQuery = (token: string | null, status: MessageStatus | null, before: number | null) =>
  queryOptions({
    queryKey: ['contact-messages', token, status, before],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      call(
        listMessages,
        { query: { ...(status ? { status } : {}), ...(before === null ? {} : { before: String(before) }) } },
        signal,
      ),
  });

export const messageQuery = (token: string | null, id: number) =>
  queryOptions({
    queryKey: ['contact-message', token, id],
    queryFn: ({ signal }) => call(getMessage, { params: { id: String(id) } }, signal),
  });

export const MESSAGE_STATUSES: Record<MessageStatus, { words: string; tone: Tone }> = {
  new: { words: 'New', tone: 'accent' },
  open: { words: 'Open', tone: 'warn' },
  settled: { words: 'Settled', tone: 'up' },
  spam: { words: 'Spam', tone: 'plain' },
};

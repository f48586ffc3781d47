import { queryOptions } from '@tanstack/react-query';
import { getDemoMail, getEmailStatus, listDemoMails } from '#features/notifications/contract/email.ts';
import { call } from '#ui/api/client.ts';

const AGAIN_MS = 3_000;

/** Refetched with each visit: a bounced email changes it. */
export const emailStatusQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['email-status', token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: ({ signal }) => call(getEmailStatus, {}, signal),
  });

export const demoMailsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['demo-mails', token],
    queryFn: ({ signal }) => call(listDemoMails, {}, signal),
    enabled: token !== null,
    refetchInterval: AGAIN_MS,
  });

/** An email never changes. */
export const demoMailQuery = (token: string | null, id: number) =>
  queryOptions({
    queryKey: ['demo-mails', token, id],
    queryFn: ({ signal }) => call(getDemoMail, { params: { id: String(id) } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

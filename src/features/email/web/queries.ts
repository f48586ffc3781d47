import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getEmailStatus } from '../contract.ts';

/** Read anew with each visit: a mail that bounces changes it. */
export const emailStatusQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['email-status', token],
    enabled: token !== null,
    staleTime: 0,
    queryFn: ({ signal }) => call(getEmailStatus, {}, signal),
  });

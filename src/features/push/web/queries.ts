import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listPushBrowsers } from '../contract.ts';

export const pushBrowsersQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['push-browsers', token],
    queryFn: ({ signal }) => call(listPushBrowsers, {}, signal),
    enabled: token !== null,
  });

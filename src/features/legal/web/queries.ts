import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { getAbout } from '../contract.ts';

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call(getAbout, {}, signal),
});

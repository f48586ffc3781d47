import { queryOptions } from '@tanstack/react-query';
import { getAbout } from '#features/site/contract/legal.ts';
import { call } from '#ui/api/client.ts';

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call(getAbout, {}, signal),
});

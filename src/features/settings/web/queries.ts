import { queryOptions } from '@tanstack/react-query';

import { call } from '#web/api/client.ts';

import { listSettings } from '../contract.ts';

export const settingsKey = (token: string | null) => ['admin-settings', token];

export const settingsQuery = (token: string | null) =>
  queryOptions({ queryKey: settingsKey(token), queryFn: ({ signal }) => call(listSettings, {}, signal) });

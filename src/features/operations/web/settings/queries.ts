import { queryOptions } from '@tanstack/react-query';
import { listSettings } from '#features/operations/contract/settings.ts';
import { call } from '#ui/api/client.ts';

export const settingsKey = (token: string | null) => ['admin-settings', token];

export const settingsQuery = (token: string | null) =>
  queryOptions({ queryKey: settingsKey(token), queryFn: ({ signal }) => call(listSettings, {}, signal) });

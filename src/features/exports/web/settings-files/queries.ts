import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod/mini';
import { importSettings } from '#features/exports/contract/settings-files.ts';
import { call } from '#ui/api/client.ts';

export type Choice = Pick<z.input<typeof importSettings.body>, 'rules' | 'notifications'>;

/** Changes of the nth file; refetched for every other choice. */
export const previewQuery = (token: string | null, n: number, file: unknown, choice: Choice) =>
  queryOptions({
    queryKey: ['settings-preview', token, n, choice],
    queryFn: ({ signal }) => call(importSettings, { body: { file, ...choice, dryRun: true } }, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

import { queryOptions } from '@tanstack/react-query';

import { call, callTagged } from '#web/api/client.ts';

import { listThresholds, previewThreshold, saveThresholds, type Threshold, type ThresholdInput } from '../contract.ts';
import { inTurn } from './in-turn.ts';

const LIST_MS = 15_000;
const PREVIEW_KEPT_MS = 120_000;

/** The list and the tag that names this version of it. */
export type Loaded = { rules: readonly Threshold[]; tag: string | null };

const loaded = ({ reply, tag }: { reply: Threshold[]; tag: string | null }): Loaded => ({ rules: reply, tag });

export const thresholdsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['thresholds', token],
    queryFn: async ({ signal }) => loaded(await callTagged(listThresholds, {}, signal)),
    refetchInterval: LIST_MS,
  });

/** Refused when the list is no longer the one that `tag` names. */
export const save = async (thresholds: ThresholdInput[], tag: string | null, signal?: AbortSignal): Promise<Loaded> =>
  loaded(await callTagged(saveThresholds, { body: { thresholds } }, signal, tag));

export const previewQuery = (token: string | null, input: ThresholdInput | null) =>
  queryOptions({
    queryKey: ['threshold-preview', token, input],
    enabled: input !== null,
    queryFn: ({ signal }) => inTurn(() => call(previewThreshold, { body: input as ThresholdInput }, signal), signal),
    staleTime: PREVIEW_KEPT_MS,
    gcTime: PREVIEW_KEPT_MS,
    retry: false,
    refetchOnWindowFocus: false,
  });

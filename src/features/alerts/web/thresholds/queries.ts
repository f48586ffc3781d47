import { queryOptions } from '@tanstack/react-query';
import {
  listThresholds,
  previewThreshold,
  saveThresholds,
  type Threshold,
  type ThresholdInput,
} from '#features/alerts/contract/thresholds.ts';
import { call, callTagged } from '#ui/api/client.ts';

const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((go, stop) => {
    const next = () => {
      signal.removeEventListener('abort', leave);
      go();
    };
    const leave = () => {
      waiting.splice(waiting.indexOf(next), 1);
      stop(signal.reason as Error);
    };
    waiting.push(next);
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** At most two concurrent calls, newest waiting first, so that visible cards are served before earlier ones. */
export async function inTurn<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (running >= AT_ONCE) await turn(signal);
  running++;
  try {
    return await act();
  } finally {
    running--;
    waiting.pop()?.();
  }
}

const LIST_MS = 15_000;
const PREVIEW_KEPT_MS = 120_000;

/** The list and its ETag. */
export type Loaded = { rules: readonly Threshold[]; tag: string | null };

const loaded = ({ reply, tag }: { reply: Threshold[]; tag: string | null }): Loaded => ({ rules: reply, tag });

export const thresholdsQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['thresholds', token],
    queryFn: async ({ signal }) => loaded(await callTagged(listThresholds, {}, signal)),
    refetchInterval: LIST_MS,
  });

/** Refused when the list no longer matches `tag`. */
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

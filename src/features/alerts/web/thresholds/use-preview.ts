import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { useToken } from '#ui/session.ts';
import { type Draft, isValid, toInput } from './draft.ts';
import { watchesChange } from './labels.ts';
import { previewQuery } from './queries.ts';

/** The server's rate limit for continuous dragging. */
const APART_MS = 260;

/** Throttles a value: the first is taken at once, and the last always. */
function useThrottled(value: string | null): string | null {
  const [taken, take] = useState(value);
  const last = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (value === taken) return undefined;
    const wait = Math.max(0, last.current + APART_MS - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      take(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, taken]);
  return taken;
}

/** The request: the rule without fields that do not affect firing. Null while it is incomplete. */
function previewRequest(draft: Draft): string | null {
  const rule: Draft = {
    ...draft,
    id: null,
    name: 'Preview',
    description: '',
    enabled: true,
    icon: null,
    expiresAt: null,
  };
  return isValid(rule) ? JSON.stringify(toInput(rule)) : null;
}

type Key = readonly [string, string | null, ThresholdInput | null];
const previewSeries = (input: ThresholdInput | null | undefined) =>
  input && `${input.metric} ${watchesChange(input.condition) ? input.condition : ''}`;

/** Backtest of the rule, refetched as it changes; earlier requests are aborted. */
export function usePreview(draft: Draft) {
  const token = useToken();
  const wanted = useMemo(() => previewRequest(draft), [draft]);
  const taken = useThrottled(wanted);
  const input = useMemo(() => (taken === null ? null : (JSON.parse(taken) as ThresholdInput)), [taken]);
  const query = useQuery({
    ...previewQuery(token, input),
    placeholderData: (before, of) => {
      const [, , asked] = (of?.queryKey ?? []) as unknown as Partial<Key>;
      return input === null || previewSeries(asked) === previewSeries(input) ? before : undefined;
    },
  });
  return {
    query,
    /** The result belongs to an earlier version of the rule. */
    busy: wanted !== null && (wanted !== taken || query.isPlaceholderData),
    complete: wanted !== null,
  };
}

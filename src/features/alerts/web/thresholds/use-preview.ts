import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ThresholdInput } from '#features/alerts/contract/thresholds.ts';
import { useToken } from '#ui/session.ts';
import { type Draft, inputOf, isSound } from './draft.ts';
import { previewQuery } from './queries.ts';
import { watchesChange } from './words.ts';

/** As fast as the server allows for a hand that goes on dragging. */
const APART_MS = 260;

/** A value at most so often, the first one at once and the last one for sure. */
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

/** What is asked: the rule without what does not change when it fires. Null while it is incomplete. */
function askedOf(draft: Draft): string | null {
  const asked: Draft = {
    ...draft,
    id: null,
    name: 'Preview',
    description: '',
    enabled: true,
    icon: null,
    expiresAt: null,
  };
  return isSound(asked) ? JSON.stringify(inputOf(asked)) : null;
}

type Key = readonly [string, string | null, ThresholdInput | null];
const seriesOf = (input: ThresholdInput | null | undefined) =>
  input && `${input.metric} ${watchesChange(input.condition) ? input.condition : ''}`;

/** What the rule would have done, read again while it is being changed; the earlier call is given up. */
export function usePreview(draft: Draft) {
  const token = useToken();
  const wanted = useMemo(() => askedOf(draft), [draft]);
  const taken = useThrottled(wanted);
  const input = useMemo(() => (taken === null ? null : (JSON.parse(taken) as ThresholdInput)), [taken]);
  const query = useQuery({
    ...previewQuery(token, input),
    placeholderData: (before, of) => {
      const [, , asked] = (of?.queryKey ?? []) as unknown as Partial<Key>;
      return input === null || seriesOf(asked) === seriesOf(input) ? before : undefined;
    },
  });
  return {
    query,
    /** It is another rule by now than the one that is shown. */
    busy: wanted !== null && (wanted !== taken || query.isPlaceholderData),
    complete: wanted !== null,
  };
}

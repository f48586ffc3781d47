import type { SourceDetail } from '#features/operations/contract/sources.ts';

type State = SourceDetail['state'];

/** Problems first, disabled sources last. */
export const STATES: Record<State, { words: string; dot: string; text: string; order: number }> = {
  down: { words: 'Down', dot: 'bg-down', text: 'text-down', order: 0 },
  rate_limited: { words: 'Rate-limited', dot: 'bg-warn', text: 'text-warn', order: 1 },
  stale: { words: 'Stale content', dot: 'bg-warn', text: 'text-warn', order: 2 },
  ok: { words: 'OK', dot: 'bg-up', text: 'text-ink-2', order: 3 },
  waiting: { words: 'On standby', dot: 'bg-line-strong', text: 'text-ink-3', order: 4 },
  unknown: { words: 'Not recorded', dot: 'bg-line-strong', text: 'text-ink-3', order: 4 },
  refused_region: { words: 'Blocked in this region', dot: 'bg-line-strong', text: 'text-ink-3', order: 5 },
  key_missing: { words: 'Key missing', dot: 'bg-line-strong', text: 'text-ink-3', order: 5 },
};

export const inOrder = <S extends SourceDetail>(sources: readonly S[]): S[] =>
  sources.toSorted((a, b) => STATES[a.state].order - STATES[b.state].order);

/**
 * '17 of 18 healthy, 2 on standby, 1 blocked in this region, 1 missing a key'. Only sources in use can be healthy or
 * not.
 */
export function summary(sources: readonly SourceDetail[]): string {
  const count = (state: State) => sources.filter((source) => source.state === state).length;
  const [waiting, refused, keyless] = [count('waiting'), count('refused_region'), count('key_missing')];
  const parts = [`${count('ok')} of ${sources.length - waiting - refused - keyless} healthy`];
  if (waiting > 0) parts.push(`${waiting} on standby`);
  if (refused > 0) parts.push(`${refused} blocked in this region`);
  if (keyless > 0) parts.push(`${keyless} missing a key`);
  return parts.join(', ');
}

import type { StoredCall } from '../store/calls.ts';

const SEPARATOR = '\u0000';

/** A provider's model. */
export const trackOf = ({ analyst, model }: Pick<StoredCall, 'analyst' | 'model'>): string =>
  `${analyst}${SEPARATOR}${model}`;

export function partsOf(track: string): { analyst: string; model: string } {
  const [analyst = '', model = ''] = track.split(SEPARATOR);
  return { analyst, model };
}

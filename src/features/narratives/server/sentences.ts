import type { NarrativeFacts } from '#features/metrics/server/service.ts';
import { compact } from '#shared/format.ts';

import { LEAST_VOLUME_DAYS } from './formulas.ts';

const percent = (value: number) => `${Math.abs(value).toFixed(1)} %`;
const sigma = (value: number) => `${Math.abs(value).toFixed(1)} σ`;

function moved(change: number): string {
  if (Math.abs(change) < 0.05) return 'stood still';
  return `${change > 0 ? 'rose' : 'fell'} ${percent(change)}`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** 'Rose 3.2 % against a market that rose 0.4 %, 1.7 σ above it; 4 of 5 coins up' */
export function trendSentence(change: number, facts: NarrativeFacts): string {
  const { market_change_24h: market, relative_sigma: distance, rising, known } = facts;
  const against = market === null ? '' : ` against a market that ${moved(market)}`;
  const apart = distance === null ? '' : `, ${sigma(distance)} ${distance < 0 ? 'below' : 'above'} it`;
  const breadth = known === 0 ? '' : `; ${rising} of ${known} coins up`;
  return capitalised(moved(change)) + against + apart + breadth;
}

/** '$3.12B in 24 h, 2.1 % of the whole market, 1.4 σ above its mean of 30 days' */
export function volumeSentence(volume: number, facts: NarrativeFacts | null): string {
  const traded = `$${compact(volume)} in 24 h`;
  if (!facts) return traded;
  const { volume_share: share, volume_z: z, volume_days: days } = facts;
  const part = share === null ? '' : `, ${percent(share * 100)} of the whole market`;
  if (z !== null) return `${traded}${part}, ${sigma(z)} ${z < 0 ? 'below' : 'above'} its mean of ${days} days`;
  if (days >= LEAST_VOLUME_DAYS) return traded + part;
  return `${traded}${part}; ${days} of the ${LEAST_VOLUME_DAYS} days that show what is normal are stored`;
}

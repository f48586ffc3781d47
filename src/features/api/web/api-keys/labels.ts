import type { OVERLAPS } from '#features/api/contract/api-keys.ts';
import type { ApiScope } from '#shared/contract.ts';
import { grouped } from '#shared/format.ts';

/** What each scope lets a key do, in the order they are offered. */
export const SCOPES: Record<ApiScope, readonly [name: string, allows: string]> = {
  market: ['Market', 'Read prices, market totals, metrics, sources and their history'],
  analysis: ['Analysis', 'Read AI analyses, predictions and their track record'],
  calendar: ['Calendar', 'Read events and inflation figures'],
  alerts: ['Alerts', 'Read your alerts and your alert rules'],
  'alerts:write': ['Create rules', 'Create alert rules'],
  'forecasts:write': ['Submit forecasts', 'Submit forecasts to the open league'],
};

export const ALL_SCOPES = Object.keys(SCOPES) as ApiScope[];

/** Default scopes of a key: read everything, change nothing. */
export const READ_SCOPES: readonly ApiScope[] = ['market', 'analysis', 'calendar', 'alerts'];

export const OVERLAP_WORDS: Record<(typeof OVERLAPS)[number], string> = {
  0: 'Expire immediately',
  1: '1 hour',
  24: '24 hours',
  168: '7 days',
};

/** '1 call', '1,204 calls' */
export const callsText = (calls: number): string => (calls === 1 ? '1 call' : `${grouped(calls)} calls`);

/** '5 h 12 min', '12 min', 'less than a minute' */
export function timeLeft(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

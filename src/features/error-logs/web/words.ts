import type { Tone } from '#web/ui/badge.tsx';

import type { ErrorType } from '../contract.ts';

export const TYPE_WORDS: Record<ErrorType, { one: string; many: string; tone: Tone }> = {
  api_failure: { one: 'API failure', many: 'API Failures', tone: 'warn' },
  data_collection: { one: 'Data collection', many: 'Data Collection', tone: 'accent' },
  authentication: { one: 'Authentication', many: 'Authentication', tone: 'warn' },
  system: { one: 'System', many: 'System', tone: 'down' },
  other: { one: 'Other', many: 'Other', tone: 'plain' },
};

/** Each has a chip and a tile; 'other' is counted in All only. */
export const SHOWN_TYPES = ['api_failure', 'data_collection', 'authentication', 'system'] as const;

export const grouped = (count: number): string => count.toLocaleString('en-US');
export const times = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);

/** JSON on lines of its own, with the lines of its texts; anything else as it is. */
export function readable(details: string): string {
  try {
    const value: unknown = JSON.parse(details);
    if (typeof value !== 'object' || value === null) return details;
    return JSON.stringify(value, null, 2).replaceAll(/(?<=(?:^|[^\\])(?:\\\\)*)\\n/g, '\n    ');
  } catch {
    return details;
  }
}

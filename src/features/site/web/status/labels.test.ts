import { expect, test } from 'vitest';

import { progressWords } from './labels.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const written = { kind: 'written', impact: 'major', stage: 'investigating', startsAt: at(-30), endsAt: null } as const;
const planned = { ...written, impact: 'maintenance', startsAt: at(60), endsAt: at(120) } as const;

test.each([
  ['Investigating', written],
  ['Resolved', { ...written, stage: 'resolved', endsAt: at(-1) }],
  ['Resolved', { ...written, stage: 'resolved', endsAt: at(1) }],
  ['Ongoing', { ...written, kind: 'measured', stage: null }],
  ['Resolved', { ...written, kind: 'measured', stage: null, endsAt: at(-1) }],
  ['Scheduled', planned],
  ['Canceled', { ...planned, stage: 'resolved' }],
  ['In progress', { ...planned, startsAt: at(-10) }],
  ['Completed', { ...planned, startsAt: at(-10), stage: 'resolved', endsAt: at(1) }],
] as const)('%s, even while the page clock is behind', (words, incident) => {
  expect(progressWords(incident, NOW)).toBe(words);
});

import { expect, test } from 'vitest';

import { choose, countAlerts, parseFilter, writeFilter } from './filter.ts';
import { alertOf, someAlerts } from './fixtures.ts';
import { alertLink, failureText, isOver } from './labels.ts';

const PLAIN = { severity: 'all', search: '', acknowledged: false } as const;

test('only unacknowledged alerts are counted', () => {
  expect(countAlerts(someAlerts)).toEqual({ total: 4, high: 1, medium: 3, low: 0 });
  expect(countAlerts([])).toEqual({ total: 0, high: 0, medium: 0, low: 0 });
});

test.each([
  ['acknowledged ones are hidden', PLAIN, [29, 28, 27, 26]],
  ['and shown when asked for', { ...PLAIN, acknowledged: true }, [29, 28, 27, 26, 25]],
  ['by severity', { ...PLAIN, severity: 'medium' }, [28, 27, 26]],
  ['by words of the message, in any case, spaces around them aside', { ...PLAIN, search: '  BtC ' }, [29, 26]],
  ['by both', { ...PLAIN, severity: 'high', search: 'btc' }, [29]],
  ['the type is not searched', { ...PLAIN, search: 'UPCOMING_EVENT' }, []],
] as const)('choose: %s', (_, filter, ids) => {
  expect(choose(someAlerts, filter).map(({ id }) => id)).toEqual(ids);
});

test('the URL stores the filter, and invalid values are dropped', () => {
  const filter = { severity: 'high', search: 'BTC & ETH', acknowledged: true } as const;
  expect(parseFilter(writeFilter(new URLSearchParams('other=1'), filter))).toEqual(filter);
  expect(writeFilter(new URLSearchParams('severity=low&other=1'), PLAIN).toString()).toBe('other=1');
  expect(parseFilter(new URLSearchParams('severity=toString&acknowledged=yes'))).toEqual(PLAIN);
  expect(parseFilter(new URLSearchParams({ search: 'x'.repeat(500) })).search).toHaveLength(100);
});

test('the link of an alert', () => {
  expect(alertLink(alertOf(1, { type: 'UPCOMING_EVENT' }))?.[0]).toBe('/app/events');
  expect(alertLink(alertOf(1, { type: 'CUSTOM_THRESHOLD', thresholdId: 5 }))?.[0]).toBe('/app/custom-alerts');
  expect(alertLink(alertOf(1, { type: 'RULES_PAUSED' }))?.[0]).toBe('/app/custom-alerts');
  expect(alertLink(alertOf(1))).toBeNull();
});

test('only an event that was upcoming can be over', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const event = { type: 'UPCOMING_EVENT', eventDate: '2026-11-21T11:59:59.000Z' } as const;
  expect(isOver(alertOf(1, event), now)).toBe(true);
  expect(isOver(alertOf(1, { ...event, eventDate: '2026-11-21T12:00:01.000Z' }), now)).toBe(false);
  expect(isOver(alertOf(1, { ...event, type: 'SSR_LEVEL' }), now)).toBe(false);
  expect(isOver(alertOf(1, { ...event, eventDate: null }), now)).toBe(false);
});

test('other errors are not about signing in', () => {
  expect(failureText(new Error('x'))).toBe('Failed to fetch alerts');
  expect(failureText(null)).toBe('Failed to fetch alerts');
});

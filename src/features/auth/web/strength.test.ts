import fc from 'fast-check';
import { expect, test } from 'vitest';

import { STRENGTHS, strengthOf } from './strength.ts';

const nameOf = (password: string, email = 'ann@example.com') => STRENGTHS[strengthOf(password, email)]?.name;

test.each([
  ['', 'weak'],
  ['abcdefghijklmnop', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['tpqkzmrw', 'weak'],
  ['tPqk7mrw', 'fair'],
  ['correct horse', 'fair'],
  ['tPqk7mr!w2Zd', 'good'],
  ['correct horse battery staple', 'strong'],
])('%o is %s', (password, strength) => {
  expect(nameOf(password)).toBe(strength);
});

test('the own name counts for nothing', () => {
  expect(strengthOf('annabelle-7Q', 'annabelle@example.com')).toBe(0);
  expect(strengthOf('annabelle-7Q', 'bob@example.com')).toBeGreaterThan(0);
});

test('property: more characters never make it weaker, and any text has a strength', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (password, more) => {
      const before = strengthOf(password, 'ann@example.com');
      expect(STRENGTHS[before]).toBeDefined();
      expect(strengthOf(password + more, 'x@example.com')).toBeGreaterThanOrEqual(
        strengthOf(password, 'x@example.com'),
      );
    }),
  );
});

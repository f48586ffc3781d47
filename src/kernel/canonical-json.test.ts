import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalJson, sha256 } from './canonical-json.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, shuffled(each)]),
  );
}

test('key order makes no difference, and nothing is lost', () => {
  const values = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  fc.assert(
    fc.property(values, (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(value);
    }),
  );
});

test('the text and its hash can be reproduced independently', () => {
  expect(canonicalJson({ b: [1, 2.5, 1e21], a: { z: null, ü: 'x"' }, skipped: undefined })).toBe(
    '{"a":{"z":null,"ü":"x\\""},"b":[1,2.5,1e+21]}',
  );
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, new Date(0), new Map()])(
  '%s is rejected and not silently changed',
  (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  },
);

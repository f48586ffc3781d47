import fc from 'fast-check';
import { z } from 'zod/mini';

type Shape = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  prefixItems?: Shape[];
  additionalProperties?: Shape | boolean;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
};

/** Texts that break careless parsers. */
export const HOSTILE_TEXTS = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202e',
  '\ufeff',
  '1e309',
  '-0',
  '0x10',
  'NaN',
  'null',
  'undefined',
  'true',
  '9'.repeat(15),
  '9'.repeat(19),
  '9'.repeat(40),
  '-1',
  '2147483648',
  '__proto__',
  'constructor',
  'toString',
  "' or 1=1 --",
  "'; drop table users; --",
  '%',
  '_',
  '\\',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '..\\..\\windows',
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}%s%n',
  '\r\nX-More: 1',
  '0000-01-01T00:00:00Z',
  '2026-02-31',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '-000001-01-01T00:00:00Z',
  'Etc/Unknown',
  '[]',
  '{}',
  '.',
  ',',
  '🙂'.repeat(40),
  'x'.repeat(5000),
] as const;

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ maxLength: 40, unit: 'binary' }));
/** Values of any kind where another kind is expected. */
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown[]>(
      null,
      true,
      0,
      -1,
      0.1,
      1e21,
      1e308,
      -1e308,
      2 ** 31,
      2 ** 53,
      Number.MIN_VALUE,
      [],
      {},
      [[]],
      [null],
      { length: 9 },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

function stringMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return text;
  }
}

const ARBITRARY_BY_FORMAT: Record<string, fc.Arbitrary<string>> = {
  email: fc.nat(50).map((n) => `fuzz${n}@people.example`),
  'date-time': fc.constantFrom(
    '2026-11-19T12:00:00Z',
    '2026-12-31T00:00:00.000Z',
    '1970-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ),
  date: fc.constantFrom('2026-11-01', '2026-11-20', '2024-02-29', '0000-01-01', '0001-01-01', '9999-12-31'),
  uuid: fc.uuid(),
};

type Location = { parent: Record<string, unknown>; name: string };

function listLocations(given: unknown): Location[] {
  if (typeof given !== 'object' || given === null) return [];
  const parent = given as Record<string, unknown>;
  return Object.keys(parent).flatMap((name) => [{ parent, name }, ...listLocations(parent[name])]);
}

/** Valid for its schema, often with something hostile in one place, sometimes anywhere. */
function mutated(shape: Shape): fc.Arbitrary<unknown> {
  const one = fc.tuple(valid(shape, 0), fc.nat(), fc.oneof(text, value)).map(([given, at, hostile]) => {
    const all = { given: structuredClone(given) };
    const leaves = listLocations(all);
    const leaf = leaves[at % leaves.length];
    if (leaf) leaf.parent[leaf.name] = hostile;
    return all.given;
  });
  return fc.oneof(
    { weight: 1, arbitrary: valid(shape, 0) },
    { weight: 3, arbitrary: one },
    { weight: 1, arbitrary: value },
  );
}

function valid(shape: Shape, depth: number): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((each) => valid(each, depth)));
  const [type = 'any'] = [shape.type].flat();
  if (type === 'object' || shape.properties) return objectOf(shape, depth);
  if (type === 'array')
    return shape.prefixItems
      ? fc.tuple(...shape.prefixItems.map((each) => valid(each, depth + 1)))
      : fc.array(valid(shape.items ?? {}, depth + 1), { maxLength: 3 });
  if (type === 'integer')
    return fc.integer({
      min: Math.max(shape.minimum ?? -1000, -(2 ** 31)),
      max: Math.min(shape.maximum ?? 100_000, 2 ** 31 - 1),
    });
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type !== 'string') return value;
  const known = ARBITRARY_BY_FORMAT[shape.format ?? ''];
  if (known) return known;
  return shape.pattern ? stringMatching(shape.pattern) : fc.string({ maxLength: Math.min(shape.maxLength ?? 30, 30) });
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Shape,
  depth: number,
): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, each]) =>
    fc
      .tuple(fc.constant(name), valid(each, depth + 1), fc.integer({ min: 0, max: 9 }))
      .map(([key, given, dice]) =>
        dice === 0 || (dice < 4 && !required.includes(key)) ? [] : [[key, given] as const],
      ),
  );
  const more =
    typeof additionalProperties === 'object'
      ? fc.array(fc.tuple(text, valid(additionalProperties, depth + 1)), { maxLength: 2 })
      : fc
          .option(
            fc.tuple(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'role', 'userId', ''), value),
            { freq: 8 },
          )
          .map((pair) => (pair ? [pair] : []));
  // Object.fromEntries creates an own property __proto__, as JSON does.
  return fc.tuple(fc.tuple(...fields), more).map(([own, others]) => Object.fromEntries([...own.flat(), ...others]));
}

const toShape = (schema: z.ZodMiniType): Shape =>
  z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Shape;

/** Bodies close to what a schema accepts. */
export const mutatedBodies = (schema: z.ZodMiniType): fc.Arbitrary<unknown> => mutated(toShape(schema));

const serialize = (given: unknown): string => {
  const plain = typeof given === 'object' && given !== null ? JSON.stringify(given) : String(given);
  return encodeURIComponent(plain.toWellFormed());
};

const mutatedText = (shape: Shape) =>
  fc.oneof({ weight: 2, arbitrary: valid(shape, 0) }, { weight: 1, arbitrary: text });

/** Path parameters close to what a schema accepts, by name. */
export const mutatedFields = (schema: z.ZodMiniObject): fc.Arbitrary<Record<string, string>> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(toShape(schema).properties ?? {}).map(([name, each]) => [name, mutatedText(each)]),
      ),
    )
    .map((given) => Object.fromEntries(Object.entries(given).map(([name, each]) => [name, serialize(each)])));

/** Query strings close to what a schema accepts; some repeat a parameter or contain an unknown one. */
export const mutatedQueries = (schema: z.ZodMiniObject): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc
        .constant(toShape(schema).properties ?? {})
        .chain((properties) =>
          fc.tuple(
            ...Object.entries(properties).map(([name, each]) =>
              fc
                .option(mutatedText(each), { freq: 4 })
                .map((given) => (given === null ? [] : [`${name}=${serialize(given)}`])),
            ),
          ),
        ),
      fc.option(fc.constantFrom('__proto__=1', 'constructor=1', 'a[b]=1', '=', '%', '%ff=%ff', 'x=%00', '&&'), {
        freq: 6,
      }),
      fc.boolean(),
    )
    .map(([pairs, extra, twice]) => {
      const all = [...pairs.flat(), ...(extra === null ? [] : [extra])];
      return (twice && all[0] ? [...all, all[0]] : all).join('&');
    });

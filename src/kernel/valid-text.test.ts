import { describe, expect, test } from 'vitest';
import { z } from 'zod/mini';

import { runInSlices } from './read-model.ts';
import { type Schema, serializeValid } from './valid-text.ts';

const row = z.object({ id: z.string(), price: z.nullable(z.number()), note: z.optional(z.string()) });
const payload = z.object({
  at: z.iso.datetime(),
  rows: z.array(row),
  series: z.record(z.string(), z.object({ points: z.array(z.number()) })),
  few: z.optional(z.array(z.string()).check(z.maxLength(2))),
  byDay: z.optional(z.record(z.string().check(z.regex(/^\d$/)), z.number())),
  nested: z.optional(z.object({ rows: z.array(row) })),
  missing: z.nullable(z.object({ why: z.string() })),
});
const value = {
  missing: null,
  rows: [
    { id: 'bitcoin', price: 1.5, note: undefined, more: 'is left out' },
    { note: 'Münze "₿"', price: null, id: 'x' },
  ],
  at: '2026-11-20T12:00:00Z',
  series: { 'a"b': { points: [1, 2] }, c: { points: [] } },
  few: ['one', 'two'],
  byDay: { 1: 2 },
  nested: { rows: [{ id: 'y', price: 0 }] },
  more: 'is left out',
};
const text = (schema: Schema, of: unknown) => runInSlices(serializeValid(schema, of));

describe('the text of a chunked payload', () => {
  test.each([
    ['every kind of field', payload, value],
    ['absent fields', payload, { ...value, few: undefined, byDay: undefined, nested: undefined }],
    ['nothing in lists', payload, { ...value, rows: [], series: {} }],
    ['a schema that checks the whole', payload.check(z.refine(() => true)), value],
    ['a list', z.array(row), value.rows],
    ['a plain value', z.nullable(z.string()), null],
  ])('equals the whole: %s', async (_what, schema, of) => {
    expect(await text(schema, of)).toBe(JSON.stringify(schema.parse(of)));
    expect(await text(schema, of)).toBe(JSON.stringify(schema.parse(of)));
  });

  test.each([
    ['a row', { ...value, rows: [...value.rows, { id: 7, price: 1 }] }, ['rows', 2, 'id']],
    ['an item of a record', { ...value, series: { a: { points: ['1'] } } }, ['series', 'a', 'points', 0]],
    ['a list that is too long', { ...value, few: ['1', '2', '3'] }, ['few']],
    ['a name in a record', { ...value, byDay: { monday: 1 } }, ['byDay', 'monday']],
    ['something else than a list', { ...value, rows: 'none' }, ['rows']],
    ['a list instead of a record', { ...value, series: [] }, ['series']],
    ['a field that is not there', { ...value, missing: undefined }, ['missing']],
    ['nothing at all', null, []],
  ])('is rejected with the location of the error: %s', async (_what, of, path) => {
    await expect(text(payload, of)).rejects.toMatchObject({ issues: [{ path }] });
  });
});

test('long work yields to the event loop every few steps', async () => {
  const STEPS = 60;
  function* work(): Generator<void, string> {
    for (let step = 0; step < STEPS; step++) {
      const until = performance.now() + 0.5;
      while (performance.now() < until);
      yield;
    }
    return 'done';
  }
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  expect(await runInSlices(work())).toBe('done');
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(STEPS / 3);
});

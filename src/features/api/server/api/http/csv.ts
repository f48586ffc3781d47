import { csvOf } from '#kernel/files/csv.ts';
import type { Cell, Column } from '#kernel/files/table.ts';

import { type Choice, isChosen } from './fields.ts';
import { presentShape, type Shape } from './shape.ts';

/** The leaves of a row; lists, and what may be one of several, are one column of JSON. */
function pathsOf(shape: Shape, path: readonly string[] = []): string[][] {
  const { properties } = presentShape(shape);
  if (!properties) return [[...path]];
  return Object.entries(properties).flatMap(([name, each]) => pathsOf(each, [...path, name]));
}

function cellAt(row: unknown, path: readonly string[]): Cell {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}

/** The list of an answer: a column for each leaf, by the name that `fields` knows it by. */
export async function csvText(
  list: string,
  shape: Shape,
  rows: readonly unknown[],
  choice: Choice | null,
): Promise<string> {
  const item = presentShape(shape.properties?.[list] ?? {}).items ?? {};
  const paths = pathsOf(item).filter((path) => choice === null || isChosen(choice.get(list), path));
  const columns = paths.map((path): Column => ({ name: path.join('.'), title: path.join('.'), type: 'text' }));
  async function* batches(): AsyncGenerator<Cell[][]> {
    yield rows.map((row) => paths.map((path) => cellAt(row, path)));
  }
  const parts: string[] = [];
  for await (const part of csvOf({ name: list, title: list, columns, rows: batches() }, { rows: 0 })) parts.push(part);
  return parts.join('');
}

import { AppError } from '#kernel/errors.ts';
import { csvRows } from '#kernel/files/csv.ts';
import type { Cell, Column } from '#kernel/files/table.ts';

import { presentShape, type Shape } from './response.ts';

/** Selected fields of an object: whole fields, or some of theirs. */
type FieldSelection = Map<string, FieldSelection | 'all'>;

const MAX_PATHS = 100;
const DEEPEST = 10;

/** Provenance fields: included with whatever is beside them. */
const CERTIFICATES = [
  'meta',
  'listing',
  'rebuilt',
  'source',
  'timestamp',
  'observedAt',
  'fetchedAt',
  'method',
  'unit',
  'seq',
  'issued_at',
] as const;
/** Fields of the whole response. */
const HEAD = ['dataMode', 'asOf', 'nextCursor'] as const;
/** For a coin: `meta` is that of the price, `listing` that of everything else. */
const OF_PRICE: ReadonlySet<string> = new Set(['id', 'symbol', 'name', 'rank', 'price', 'meta']);

const unknown = (path: string) => new AppError('bad_request', `Unknown field "${path.slice(0, 100)}"`);

/** The possible shapes of a field; none if it does not exist. */
function below(shape: Shape, name: string): Shape[] {
  const present = presentShape(shape);
  if (present.anyOf) return present.anyOf.flatMap((each) => below(each, name));
  if (present.items) return below(present.items, name);
  if (present.properties && Object.hasOwn(present.properties, name)) return [present.properties[name] as Shape];
  const { additionalProperties: value, propertyNames: names } = present;
  if (typeof value !== 'object') return [];
  return names?.enum && !names.enum.includes(name) ? [] : [value];
}

/** @throws AppError 400 that names an unknown field */
export function parseFields(fields: string, shape: Shape): FieldSelection {
  const paths = [...new Set(fields.split(','))];
  if (paths.length > MAX_PATHS) throw new AppError('bad_request', `At most ${MAX_PATHS} fields can be selected`);
  const chosen: FieldSelection = new Map();
  for (const path of paths) {
    const names = path.trim().split('.');
    if (names.length > DEEPEST) throw unknown(path);
    let shapes = [shape];
    let choice: FieldSelection | 'all' = chosen;
    for (const [at, name] of names.entries()) {
      shapes = shapes.flatMap((each) => below(each, name));
      if (shapes.length === 0) throw unknown(path);
      if (choice === 'all') continue;
      const next: FieldSelection | 'all' = at === names.length - 1 ? 'all' : (choice.get(name) ?? new Map());
      choice.set(name, next);
      choice = next;
    }
  }
  return chosen;
}

function listCertificates(choice: FieldSelection, row: object): string[] {
  const isPrice = 'listing' in row && [...choice.keys()].every((name) => OF_PRICE.has(name));
  return CERTIFICATES.filter((name) => Object.hasOwn(row, name) && (!isPrice || name === 'meta'));
}

/** Of a record of provenance the selected figures, where each has its own. */
function certificate(choice: FieldSelection, of: unknown): unknown {
  if (typeof of !== 'object' || of === null) return of;
  const names = [...choice.keys()];
  if (!names.every((name) => Object.hasOwn(of, name))) return of;
  return Object.fromEntries(names.map((name) => [name, (of as Record<string, unknown>)[name]]));
}

/** The selected part of a value, with its source and age. */
export function pickFields(value: unknown, choice: FieldSelection | 'all', isHead = true): unknown {
  if (choice === 'all' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pickFields(each, choice, false));
  const row = value as Record<string, unknown>;
  const own = [...choice].flatMap(([name, of]) =>
    Object.hasOwn(row, name) ? [[name, pickFields(row[name], of, false)] as const] : [],
  );
  const beside = [...listCertificates(choice, row), ...(isHead ? HEAD : [])]
    .filter((name) => Object.hasOwn(row, name) && choice.get(name) !== 'all')
    .map((name) => [name, name === 'meta' && !choice.has(name) ? certificate(choice, row[name]) : row[name]] as const);
  return Object.fromEntries([...own, ...beside]);
}

/** Whether a column of the list is selected. */
function isChosen(choice: FieldSelection | 'all' | undefined, path: readonly string[]): boolean {
  let at = choice;
  for (const name of path) {
    if (at === 'all') return true;
    if (at === undefined) return false;
    const next = at.get(name);
    if (next === undefined) return (CERTIFICATES as readonly string[]).includes(name);
    at = next;
  }
  return true;
}

/** Leaves of a row; lists and unions are one JSON column. */
function listPaths(shape: Shape, path: readonly string[] = []): string[][] {
  const { properties } = presentShape(shape);
  if (!properties) return [[...path]];
  return Object.entries(properties).flatMap(([name, each]) => listPaths(each, [...path, name]));
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

/** The list of a response as CSV: a column per leaf, named as in `fields`. */
export async function csvText(
  list: string,
  shape: Shape,
  rows: readonly unknown[],
  choice: FieldSelection | null,
): Promise<string> {
  const item = presentShape(shape.properties?.[list] ?? {}).items ?? {};
  const paths = listPaths(item).filter((path) => choice === null || isChosen(choice.get(list), path));
  const columns = paths.map((path): Column => ({ name: path.join('.'), title: path.join('.'), type: 'text' }));
  async function* batches(): AsyncGenerator<Cell[][]> {
    yield rows.map((row) => paths.map((path) => cellAt(row, path)));
  }
  const parts: string[] = [];
  for await (const part of csvRows({ name: list, title: list, columns, rows: batches() }, { rows: 0 }))
    parts.push(part);
  return parts.join('');
}

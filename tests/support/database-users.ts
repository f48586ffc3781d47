import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const IMPORTED = /(?:\bfrom|\bimport\s*\(?)\s*'([#.][^']+\.tsx?)'/g;
/** Code with this expression uses the server for test databases. */
const DOOR = "inject('testServer')";

const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

function pathOf(name: string, importer: string): string {
  if (name.startsWith('.')) return join(dirname(importer), name);
  const [alias = '', ...rest] = name.split('/');
  return join(ROOT, ALIASES[`${alias}/*`]?.replace('*', '') ?? '', ...rest);
}

/** True for a test that reads a store directly or executes SQL. */
export const speaksSql = (file: string): boolean =>
  /from '[^']*store(\/[^']*)?\.ts'|sql[`<]/.test(readFileSync(join(ROOT, file), 'utf8'));

type Source = { asks: boolean; imports: string[] };
const read = new Map<string, Source>();

function sourceOf(file: string): Source {
  const known = read.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORTED)].map(([, name = '']) => pathOf(name, file));
  const source = { asks: text.includes(DOOR), imports };
  read.set(file, source);
  return source;
}

/** True for a test that may use a database, directly or through its imports. */
export function usesDatabase(file: string): boolean {
  // A set may grow during iteration.
  const files = new Set([file]);
  for (const each of files) {
    const { asks, imports } = sourceOf(each);
    if (asks) return true;
    for (const imported of imports) files.add(imported);
  }
  return false;
}

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const IMPORTED = /(?:\bfrom|\bimport\s*\(?)\s*'([#.][^']+\.tsx?)'/g;
/** Who says this word asks for the server that test databases are made on. */
const DOOR = "inject('testServer')";

const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

function pathOf(name: string, importer: string): string {
  if (name.startsWith('.')) return join(dirname(importer), name);
  const [alias = '', ...rest] = name.split('/');
  return join(ROOT, ALIASES[`${alias}/*`]?.replace('*', '') ?? '', ...rest);
}

/** True for a test that reads a store itself or writes statements of its own. */
export const speaksSql = (file: string): boolean =>
  /from '[^']*store(\/[^']*)?\.ts'|sql[`<]/.test(readFileSync(join(ROOT, file), 'utf8'));

/** True for a test that, or whose imports, may ask for a database. */
export function usesDatabase(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (text.includes(DOOR)) return true;
  return [...text.matchAll(IMPORTED)].some(([, name = '']) => usesDatabase(pathOf(name, file), seen));
}

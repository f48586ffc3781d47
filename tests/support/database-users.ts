import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const IMPORT_PATTERN = /(?:\bfrom|\bimport\s*\(?)\s*'([#.][^']+\.tsx?)'/g;
/** Code with this expression uses the server for test databases. */
const INJECT_CALL = "inject('testServer')";

const { imports: ALIASES } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  imports: Record<string, string>;
};

function resolveImport(name: string, importer: string): string {
  if (name.startsWith('.')) return join(dirname(importer), name);
  const [alias = '', ...rest] = name.split('/');
  return join(ROOT, ALIASES[`${alias}/*`]?.replace('*', '') ?? '', ...rest);
}

/** True for a test that reads a store directly or executes SQL. */
export const usesSql = (file: string): boolean =>
  /from '[^']*store(\/[^']*)?\.ts'|sql[`<]/.test(readFileSync(join(ROOT, file), 'utf8'));

type ModuleInfo = { injectsDatabase: boolean; imports: string[] };
const modules = new Map<string, ModuleInfo>();

function readModule(file: string): ModuleInfo {
  const cached = modules.get(file);
  if (cached) return cached;
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT_PATTERN)].map(([, name = '']) => resolveImport(name, file));
  const source = { injectsDatabase: text.includes(INJECT_CALL), imports };
  modules.set(file, source);
  return source;
}

/** True for a test that may use a database, directly or through its imports. */
export function usesDatabase(file: string): boolean {
  // A set may grow during iteration.
  const files = new Set([file]);
  for (const each of files) {
    const { injectsDatabase, imports } = readModule(each);
    if (injectsDatabase) return true;
    for (const imported of imports) files.add(imported);
  }
  return false;
}

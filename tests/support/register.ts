import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/**
 * One sentence of the specification, its location, and the tests that verify it, each as `path › part of its title`.
 */
export type Requirement = { section: string; requirement: string; place: string; tests: string[] };

type Rows = Record<string, Omit<Requirement, 'section'>[]>;

export const requirements = (): Requirement[] =>
  Object.entries(JSON.parse(readFileSync(join(ROOT, 'docs/requirements.json'), 'utf8')) as Rows).flatMap(
    ([section, rows]) => rows.map((row) => ({ section, ...row })),
  );

export function parseTestName(test: string): { path: string; title: string } {
  const [path = '', ...title] = test.split(' › ');
  return { path, title: title.join(' › ') };
}

/** Errors in a row; empty when each named test exists in its file. */
export function requirementErrors({ requirement, place, tests }: Requirement, sourceOf = readSource): string[] {
  if (!requirement || !place) return [`a row without its sentence or place: ${requirement || place}`];
  if (tests.length === 0) return [`no test shows: ${requirement}`];
  return tests.flatMap((test) => {
    const { path, title } = parseTestName(test);
    const parts = title.split(' › ').filter(Boolean);
    const source = sourceOf(path);
    return parts.length > 0 && parts.every((part) => source.includes(part)) ? [] : [`there is no test ${test}`];
  });
}

const sources = new Map<string, string>();
function readSource(path: string): string {
  const file = join(ROOT, path);
  const source =
    sources.get(path) ?? (existsSync(file) ? readFileSync(file, 'utf8').replaceAll(/\\(['"`])/g, '$1') : '');
  sources.set(path, source);
  return source;
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A title is a template where its test is parameterized: `%s` and `$name` match anything. */
const titlePattern = (title: string) =>
  new RegExp(
    title
      .split(/ › |%[$.\d]*[a-zA-Z#]|\$\{.*?\}|\$[\w.]+/)
      .map(escapeRegExp)
      .join('.*'),
    's',
  );

/**
 * Registered tests that did not pass, of the files that ran: by path, the titles of the tests that passed or were
 * skipped.
 */
export function failedRequirements(ran: ReadonlyMap<string, readonly string[]>, rows = requirements()): string[] {
  const tests = new Set(rows.flatMap((row) => row.tests));
  return [...tests].filter((test) => {
    const { path, title } = parseTestName(test);
    const pattern = titlePattern(title);
    return ran.get(path)?.some((each) => pattern.test(each)) === false;
  });
}

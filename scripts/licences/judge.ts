import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

/** Licences permitted for packages of the product: they require at most that their text is included. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Packages with another licence or without a standard licence name. Each exception is for this licence only. */
const EXCEPTIONS: Readonly<Record<string, { licence: string | null; reason: string }>> = {
  'png-js': {
    licence: null,
    reason: 'Its package.json names no licence; its LICENSE file is the MIT licence.',
  },
  'web-push': {
    licence: 'MPL-2.0',
    reason: 'Used unmodified, on the server only: MPL-2.0 applies to its own files alone.',
  },
};

/** Whether an SPDX expression permits an allowed choice: one side of OR, both sides of AND. */
export function isAllowed(expression: string, allowed: ReadonlySet<string> = ALLOWED): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  function parseTerm(): boolean {
    const word = tokens[at++];
    if (word !== '(') return word !== undefined && allowed.has(word);
    const inside = parseOr();
    return tokens[at++] === ')' && inside;
  }
  function parseAnd(): boolean {
    let isValid = parseTerm();
    while (tokens[at] === 'AND') {
      at += 1;
      isValid = parseTerm() && isValid;
    }
    return isValid;
  }
  function parseOr(): boolean {
    let isValid = parseAnd();
    while (tokens[at] === 'OR') {
      at += 1;
      isValid = parseAnd() || isValid;
    }
    return isValid;
  }

  const isValid = parseOr();
  return isValid && at === tokens.length;
}

type LicensedPackage = { name: string; version: string; licence: string | null };

/** One sentence for each package that may not be part of the product, and for each unused exception. */
export function licenceFaults(
  packages: readonly LicensedPackage[],
  exceptions: Readonly<Record<string, { licence: string | null; reason: string }>> = EXCEPTIONS,
): string[] {
  const usedExceptions = new Set<string>();
  const rejected = packages.filter(({ name, licence }) => {
    if (licence !== null && isAllowed(licence)) return false;
    const exception = exceptions[name];
    if (exception?.licence !== licence) return true;
    usedExceptions.add(name);
    return false;
  });
  return [
    ...rejected.map(
      ({ name, version, licence }) =>
        `${name} ${version} is under ${licence ?? 'no licence that it names'}: choose another package, or add it to scripts/licences/judge.ts with the reason.`,
    ),
    ...Object.keys(exceptions)
      .filter((name) => !usedExceptions.has(name))
      .map((name) => `scripts/licences/judge.ts excepts ${name}, which needs no exception.`),
  ];
}

type Entry = {
  version?: string;
  dev?: boolean;
  license?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, Entry> };
type Manifest = { license?: unknown; licenses?: unknown };

/** A package that is part of the product: needed at run time, or bundled for browsers. */
type Shipped = {
  name: string;
  version: string;
  folder: string;
  licence: string | null;
  where: 'server' | 'browser';
};

/** Styles, the typeface and coin logos are bundled through style sheets, which name no package. */
export const STYLES = ['@fontsource-variable/geist', '@iconify-json/token-branded', 'tailwindcss'];
const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const NOT_SHIPPED = /\.test\.tsx?$|(^|\/)(testing|fixtures)\/|(^|\/)(fake-[^/]+|fixtures)\.tsx?$/;

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

export const readLock = (root: string): Lock =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

/** The licence name in npm's current or legacy format; null for none. */
function licenceOf({ license, licenses }: Manifest): string | null {
  const [first] = Array.isArray(licenses) ? (licenses as unknown[]) : [licenses];
  const declared = license ?? first;
  const name = typeof declared === 'object' && declared !== null ? (declared as { type?: unknown }).type : declared;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Packages imported by name in sources of the product. */
export function importedPackages(root: string): Set<string> {
  const names = new Set<string>();
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const file of files) {
    if (!/\.tsx?$/.test(file) || NOT_SHIPPED.test(file)) continue;
    for (const [, from = ''] of readFileSync(join(root, 'src', file), 'utf8').matchAll(IMPORT)) {
      if (from.startsWith('.') || from.startsWith('#') || isBuiltin(from)) continue;
      names.add(from.split('/', from.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return names;
}

/** Where npm resolves a dependency of another package. */
function resolvePackage(lock: Lock, importer: string, name: string): string | undefined {
  for (let folder = importer; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** Places of bundled packages, with their own dependencies. */
function browserPackages(root: string, lock: Lock): Set<string> {
  const paths = new Set<string>();
  const visit = (importer: string, name: string) => {
    const path = resolvePackage(lock, importer, name);
    if (path === undefined || paths.has(path) || !lock.packages[path]?.dev) return;
    paths.add(path);
    for (const needed of Object.keys(lock.packages[path]?.dependencies ?? {})) visit(path, needed);
  };
  for (const name of [...importedPackages(root), ...STYLES]) visit('', name);
  return paths;
}

export function shippedPackages(root: string, lock: Lock = readLock(root)): Shipped[] {
  const inBrowser = browserPackages(root, lock);
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && (!dev || inBrowser.has(path)))
    .map(([path, entry]) => {
      const folder = join(root, path);
      const file = join(folder, 'package.json');
      // A package for another platform is not installed here; the lockfile has the registry's data.
      const manifest: Manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : entry;
      return {
        name: nameOf(path),
        version: entry.version ?? '',
        folder,
        licence: licenceOf(manifest),
        where: inBrowser.has(path) ? 'browser' : 'server',
      };
    });
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The licence texts of a package, concatenated; empty without any. */
export function licenceTexts(folder: string): string {
  if (!existsSync(folder)) return '';
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (each) => each.isFile() && LICENCE_FILE.test(each.name),
  );
  return names
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim())
    .toSorted()
    .join('\n\n');
}

type PackageWithNotice = Pick<Shipped, 'name' | 'version' | 'licence' | 'folder'>;

/** Every package with its licence; packages with the same text share it. */
export function formatNotices(packages: readonly PackageWithNotice[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, version, licence, folder } of packages.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))) {
    const text = licenceTexts(folder) || `Licence: ${licence ?? 'see the package'} (the package brings no text).`;
    groups.set(text, [...(groups.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...groups].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `Software of others that is part of this product, with its licences.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

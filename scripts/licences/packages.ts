import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

type Entry = {
  version?: string;
  dev?: boolean;
  license?: unknown;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, Entry> };
type Manifest = { license?: unknown; licenses?: unknown };

/** A package that is part of the product: needed at run time, or built into what browsers get. */
export type Shipped = {
  name: string;
  version: string;
  folder: string;
  licence: string | null;
  where: 'server' | 'browser';
};

/** Styles, the typeface and the logos of coins come by style sheets, which name no package. */
export const STYLES = ['@fontsource-variable/geist', '@iconify-json/token-branded', 'tailwindcss'];
const IMPORT = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const NOT_SHIPPED = /\.test\.tsx?$|(^|\/)(testing|fixtures)\/|(^|\/)(fake-[^/]+|fixtures)\.tsx?$/;

export const nameOf = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

export const readLock = (root: string): Lock =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;

/** One name for `license` as npm writes it today, and as it did long ago; null for none. */
function licenceOf({ license, licenses }: Manifest): string | null {
  const [first] = Array.isArray(licenses) ? (licenses as unknown[]) : [licenses];
  const given = license ?? first;
  const name = typeof given === 'object' && given !== null ? (given as { type?: unknown }).type : given;
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Packages that sources of the product import by name. */
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

/** Where npm would find a package that another one asks for. */
function placeOf(lock: Lock, asker: string, name: string): string | undefined {
  for (let folder = asker; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.packages[place]) return place;
    if (folder === '') return undefined;
  }
}

/** Places of the packages that are only built in, with what they need themselves. */
function builtIn(root: string, lock: Lock): Set<string> {
  const places = new Set<string>();
  const visit = (asker: string, name: string) => {
    const place = placeOf(lock, asker, name);
    if (place === undefined || places.has(place) || !lock.packages[place]?.dev) return;
    places.add(place);
    for (const needed of Object.keys(lock.packages[place]?.dependencies ?? {})) visit(place, needed);
  };
  for (const name of [...importedPackages(root), ...STYLES]) visit('', name);
  return places;
}

export function shippedPackages(root: string, lock: Lock = readLock(root)): Shipped[] {
  const inBrowser = builtIn(root, lock);
  return Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== '' && (!dev || inBrowser.has(place)))
    .map(([place, entry]) => {
      const folder = join(root, place);
      const file = join(folder, 'package.json');
      // Made for another platform, it is not installed here; the lockfile says what the registry says.
      const manifest: Manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : entry;
      return {
        name: nameOf(place),
        version: entry.version ?? '',
        folder,
        licence: licenceOf(manifest),
        where: inBrowser.has(place) ? 'browser' : 'server',
      };
    });
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** The texts that a package brings for its licence, one after the other; empty when it brings none. */
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

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Renderer } from '#app/render.ts';
import type { BackgroundThread } from '#kernel/background-thread.ts';
import type { Letters } from '#shared/picture/letters.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const CLIENT_DIR = join(ROOT, 'dist/client');

const APP = 'src/app/web/entry-client.tsx';

type ManifestEntry = { file: string; css?: string[]; imports?: string[] };

type ThreadRenderer<F> = F extends (...args: infer A) => unknown ? (...args: A) => Promise<string> : never;
type ThreadRendererFactory = { [K in keyof Renderer]: ThreadRenderer<Renderer[K]> };

/** A script, its styles as text, and the files that text was read from. */
type Entry = { file: string; css: string; sheets: readonly string[] };

export type WebBuild = {
  render: ThreadRendererFactory;
  /** Loads the renderer, so that the first page need not wait for it. */
  preload: () => void;
  app: Entry;
  public: Entry;
  /** Files with the code of a page that is not part of the first load. */
  codeOf: (path: string) => readonly string[];
  /** Glyphs used in pictures. */
  letters: Letters;
};

/** The output of `vite build`, or null when the web half has not been built. */
export function loadWebBuild(thread: BackgroundThread): WebBuild | null {
  const manifestFile = join(CLIENT_DIR, '.vite/manifest.json');
  const serverFile = join(ROOT, 'dist/server/entry-server.js');
  const lettersFile = join(ROOT, 'dist/server/letters.json');
  const logosFile = join(ROOT, 'dist/server/tracked-logos.css');
  if (![manifestFile, serverFile, lettersFile, logosFile].every((file) => existsSync(file))) return null;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, ManifestEntry>;
  const logos = readFileSync(logosFile, 'utf8');
  const entry = (name: string) => {
    const found = manifest[name];
    if (!found) throw new Error(`The build has no ${name}: run npm run build`);
    const css = (found.css ?? []).map((file) => readFileSync(join(CLIENT_DIR, file), 'utf8')).join('');
    const own = css.replaceAll(/url\((["']?)(?:\.\/)?([\w-]+\.woff2)\1\)/g, 'url(/assets/$2)');
    return { file: found.file, css: own + logos, sheets: found.css ?? [] };
  };
  const renderer = pathToFileURL(serverFile).href;
  return {
    render: rendererIn(thread, renderer),
    preload: () => thread.load(renderer),
    app: entry(APP),
    public: entry('src/app/web/public/entry.ts'),
    codeOf: scriptsIn(manifest),
    letters: JSON.parse(readFileSync(lettersFile, 'utf8')) as Letters,
  };
}

const LAZY_PAGES = 'src/app/web/pages/more-pages.tsx';

function scriptsIn(manifest: Record<string, ManifestEntry>): WebBuild['codeOf'] {
  const known = new Map<string, readonly string[]>();
  const read = (names: readonly string[]): readonly string[] => {
    const seen = new Set([APP]);
    const files: string[] = [];
    const add = (name: string) => {
      const found = manifest[name];
      if (!found || seen.has(name)) return;
      seen.add(name);
      files.push(found.file);
      found.imports?.forEach(add);
    };
    names.forEach(add);
    return files;
  };
  return (path) => {
    const [, app, name] = path.split('/');
    if (app !== 'app' || !name) return [];
    const page = `src/app/web/pages/${name}-page.tsx`;
    const key = manifest[page] ? page : '';
    const files = known.get(key) ?? read([LAZY_PAGES, key]);
    known.set(key, files);
    return files;
  };
}

/** Rendering takes milliseconds at a time, so it runs outside the event loop. */
function rendererIn(thread: BackgroundThread, module: string): ThreadRendererFactory {
  return {
    renderApp: (url, seed, view) => thread.call(module, 'renderApp', url, seed, view),
    renderLanding: (model) => thread.call(module, 'renderLanding', model),
    renderAbout: (model) => thread.call(module, 'renderAbout', model),
    renderStatus: (model) => thread.call(module, 'renderStatus', model),
    renderNotFound: (model) => thread.call(module, 'renderNotFound', model),
  };
}

/**
 * Style elements that libraries of the app add to the page at run time, by the hash of their text. A new version needs
 * a new hash.
 */
export const LIBRARY_STYLES: readonly string[] = [
  // sonner: the toasts, whose style element is inserted before its text
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
];

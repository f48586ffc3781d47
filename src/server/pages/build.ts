import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { Renderer } from '#shared/render.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const CLIENT_DIR = join(ROOT, 'dist/client');

type ManifestEntry = { file: string; css?: string[]; imports?: string[] };

export type WebBuild = {
  render: Renderer;
  app: { file: string; css: string };
  public: { file: string; css: string };
};

/** What `vite build` left, or null when the web half has not been built. */
export async function loadWebBuild(): Promise<WebBuild | null> {
  const manifestFile = join(CLIENT_DIR, '.vite/manifest.json');
  const serverFile = join(ROOT, 'dist/server/entry-server.js');
  if (!existsSync(manifestFile) || !existsSync(serverFile)) return null;
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, ManifestEntry>;
  const entry = (name: string) => {
    const found = manifest[name];
    if (!found) throw new Error(`The build has no ${name}: run npm run build`);
    const css = (found.css ?? []).map((file) => readFileSync(join(CLIENT_DIR, file), 'utf8')).join('');
    return { file: found.file, css: css.replaceAll(/url\((["']?)(?:\.\/)?([\w-]+\.woff2)\1\)/g, 'url(/assets/$2)') };
  };
  return {
    render: (await import(pathToFileURL(serverFile).href)) as Renderer,
    app: entry('src/web/entry-client.tsx'),
    public: entry('src/web/public/entry.ts'),
  };
}

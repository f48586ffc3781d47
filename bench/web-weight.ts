import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Benchmark } from './benchmark.ts';

type Entry = { file: string; css?: string[]; imports?: string[] };

const CLIENT = 'dist/client';
const packed = (file: string) => gzipSync(readFileSync(join(CLIENT, file)), { level: 9 }).length / 1000;

/** Everything the entry loads initially: its own file and its static imports. */
function firstLoad(manifest: Record<string, Entry>, name: string): Set<string> {
  const files = new Set<string>();
  const visit = (key: string) => {
    const entry = manifest[key];
    if (!entry || files.has(entry.file)) return;
    files.add(entry.file);
    for (const next of entry.imports ?? []) visit(next);
  };
  visit(name);
  return files;
}

const ENTRY = 'src/app/web/entry-client.tsx';
const ANALYTICS = 'src/app/web/pages/advanced-analytics-page.tsx';
/** What every page of the app except the dashboard loads first. */
const PAGES = 'src/app/web/pages/more-pages.tsx';
const LOGOS = 'src/app/web/coin-logos.css';

/** The additional files a file loads. */
function added(manifest: Record<string, Entry>, name: string, before: readonly string[]): Set<string> {
  if (!manifest[name]) throw new Error(`${name} is not among what was built`);
  return before.reduce((files, each) => files.difference(firstLoad(manifest, each)), firstLoad(manifest, name));
}

const sum = (files: Iterable<string>) => [...files].reduce((all, file) => all + packed(file), 0);

/** Budgets of the built pages, kB after gzip. The ratio is budget over size: at least 1. */
export const webWeight: Benchmark = {
  names: ['web.weight'],
  async run({ emit }) {
    if (!existsSync(join(CLIENT, '.vite/manifest.json'))) throw new Error('Nothing has been built: npm run build');
    const manifest = JSON.parse(readFileSync(join(CLIENT, '.vite/manifest.json'), 'utf8')) as Record<string, Entry>;
    const assets = readdirSync(join(CLIENT, 'assets'));
    const styles = assets.filter((file) => file.endsWith('.css')).map((file) => `assets/${file}`);
    const logos = added(manifest, LOGOS, []);
    const sheets = styles.filter((file) => !logos.has(file));
    const fonts = assets.filter((file) => file.endsWith('.woff2')).map((file) => `assets/${file}`);
    const budgets: [name: string, size: number, budget: number][] = [
      ['landing.js', sum(firstLoad(manifest, 'src/app/web/public/entry.ts')), 1],
      ['app.js', sum(firstLoad(manifest, ENTRY)), 110],
      ['chart.js', sum(added(manifest, 'src/features/analytics/web/drawing.ts', [ENTRY, ANALYTICS])), 60],
      ['pages.js', sum(added(manifest, PAGES, [ENTRY])), 15.5],
      ['analytics.js', sum(added(manifest, ANALYTICS, [ENTRY, PAGES])), 13],
      ['app.css', sum(manifest[ENTRY]?.css ?? []), 10],
      ['all.css', sum(sheets), 16.5],
      ['logos.css', sum(logos), 60],
      ['font', fonts.length === 1 ? sum(fonts) : Number.POSITIVE_INFINITY, 30],
    ];
    for (const [name, size, budget] of budgets) {
      emit({
        name: `web.weight.${name}`,
        n: 1,
        subject: Math.round(size * 100) / 100,
        baseline: budget,
        unit: 'kB gz',
        ratio: Math.floor((budget / size) * 1000) / 1000,
        goal: { atLeast: 1 },
        slack: 0,
      });
    }
  },
};

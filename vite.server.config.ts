import { dirname, join } from 'node:path';

import { defineConfig, type Plugin } from 'vite';

const ROOT = import.meta.dirname;
const OUT = 'dist/process';

/** The process, and every module that a thread loads by its address. */
const ENTRIES: Record<string, string> = {
  main: 'src/app/server/main.ts',
  'background-thread': 'src/kernel/background-thread/worker.ts',
  'encrypt-push': 'src/features/notifications/server/push/encrypt.ts',
  'export-worker': 'src/features/exports/server/exports/export-worker.ts',
  'figure-card': 'src/shared/picture/figure-card.ts',
  report: 'src/features/analytics/server/report/make.ts',
  sandbox: 'src/sandbox/worker.ts',
  'score-worker': 'src/features/analysis/server/predictions/score-worker.ts',
  'share-card': 'src/shared/picture/share-card.ts',
};
const NAMES = new Map(Object.entries(ENTRIES).map(([name, file]) => [join(ROOT, file), name]));

/** Loaded at every start, and half as large in memory once bundled. */
const BUNDLED = [
  'cron-parser',
  'fastify',
  'find-my-way',
  'grammy',
  'kysely',
  'luxon',
  'pg-boss',
  'rrule-temporal',
  'zod',
];

/** A module keeps the address of its source, for the files beside it; an entry is addressed in the build. */
function addresses(): Plugin {
  const sourceUrl = (path: string) => `new URL('${path.replace(ROOT, '../..')}', import.meta.url)`;
  const addressed = (id: string, part: string): string => {
    if (part === 'import.meta.url') return `${sourceUrl(id)}.href`;
    if (part === 'import.meta.dirname')
      return `process.getBuiltinModule('node:url').fileURLToPath(${sourceUrl(dirname(id))})`;
    const [, path = ''] = /'(.+)'/.exec(part) ?? [];
    const name = NAMES.get(join(dirname(id), path));
    return name ? `new URL('./${name}.js', import.meta.url)` : sourceUrl(`${dirname(id)}/${path}`);
  };
  return {
    name: 'addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(ROOT, 'src'))) return null;
      const parts = /new URL\('[^']+', import\.meta\.url\)|import\.meta\.(?:url|dirname)/g;
      return { code: code.replaceAll(parts, (part) => addressed(id, part)), map: null };
    },
  };
}

/** The server as a few files (decision 006). Names stay readable in the stacks of errors. */
export default defineConfig({
  plugins: [addresses()],
  publicDir: false,
  ssr: { external: true, noExternal: BUNDLED },
  build: {
    ssr: true,
    target: 'node24',
    outDir: OUT,
    emptyOutDir: true,
    rolldownOptions: {
      input: ENTRIES,
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        minify: { mangle: false, compress: true, codegen: true },
      },
    },
  },
});

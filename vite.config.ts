import { readFileSync } from 'node:fs';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

import { brandFiles } from './src/web/brand/files.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

type Node = { type: string; start: number; end: number; [key: string]: unknown };
const SCHEMA_KEYS = new Set(['params', 'query', 'body', 'reply', 'data']);

/** The built browser trusts its own server, so the schemas in endpoint() and topic() are weight without use there. */
function stripSchemas(): Plugin {
  return {
    name: 'strip-schemas',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!/\/features\/[^/]+\/contract\.ts$/.test(id)) return null;
      const cuts: Node[] = [];
      for (const statement of this.parse(code).body as unknown as Node[]) {
        const { declarations = [] } = (statement['declaration'] ?? statement) as { declarations?: { init?: Node }[] };
        for (const { init } of declarations) {
          const callee = init?.['callee'] as { name?: string } | undefined;
          if (callee?.name !== 'endpoint' && callee?.name !== 'topic') continue;
          const [literal] = init?.['arguments'] as { properties: (Node & { key: { name: string } })[] }[];
          cuts.push(...(literal?.properties.filter(({ key }) => SCHEMA_KEYS.has(key.name)) ?? []));
        }
      }
      let out = code;
      for (const { start, end } of cuts.toReversed()) out = out.slice(0, start) + out.slice(end).replace(/^\s*,/, '');
      return { code: out, map: null };
    },
  };
}

/** Icons and manifest follow the brand config, so that another name or mark is one edit. */
function brand(): Plugin {
  return {
    name: 'brand-files',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      for (const { fileName, source } of await brandFiles()) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        void brandFiles().then((files) => {
          const file = files.find(({ fileName }) => request.url === `/${fileName}`);
          if (!file) return next();
          response.setHeader('content-type', file.type);
          response.end(file.source);
        });
      });
    },
  };
}

const treeshake = { manualPureFunctions: ['z', 'endpoint', 'topic'] };

export default defineConfig({
  plugins: [react(), tailwindcss(), stripSchemas(), brand()],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  ssr: { noExternal: true },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        rolldownOptions: { input: { app: 'src/web/entry-client.tsx', public: 'src/web/public/entry.ts' }, treeshake },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: { 'entry-server': 'src/web/entry-server.tsx' }, treeshake },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
});

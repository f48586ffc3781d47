import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import postcss from 'postcss';
import { defineConfig, type Plugin } from 'vite';
import { bundledNotices } from './scripts/bundled-notices.ts';
import { codeGroups } from './scripts/code-groups.ts';
import { compressed } from './scripts/compressed.ts';
import { brandFiles } from './src/app/web/brand/files.ts';
import { parseLetters } from './src/app/web/brand/letters.ts';
import { coinLogos, type IconSet } from './src/app/web/coin-logos.ts';
import { parseNews } from './src/app/web/shell/news.ts';
import { BRAND } from './src/shared/brand.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };
const news = parseNews(readFileSync(new URL('CHANGELOG.md', import.meta.url), 'utf8'));

type Expression = {
  type: string;
  start: number;
  end: number;
  callee?: Expression & { name?: string; object?: Expression };
};
type Call = Expression & { arguments: (Expression & { properties: (Expression & { key: { name: string } })[] })[] };
type Statement = { declaration?: Statement; declarations?: { init?: Expression }[] };

const APP = 'src/app/web/entry-client.tsx';
const WORKER = '/src/features/notifications/worker/sw.ts';
const CONTRACT =
  /\/(features\/[^/]+\/contract(\/[^/]+)?(?<!-names)|shared\/(api-queries|contract|figures|provenance))\.ts$/;
const SENT = new Set(['method', 'path', 'access', 'name']);

/** Roots of calls that make a schema, or a call of the public API, which no page makes by its contract. */
const SCHEMAS = new Set<string | undefined>(['z', 'figures', 'read']);

/** The `z` that a chain of calls such as z.string().check(...) starts from. */
function rootName({ callee }: Expression): string | undefined {
  const from = callee?.object;
  return callee?.name ?? (from as { name?: string } | undefined)?.name ?? (from && rootName(from));
}

/**
 * The built browser trusts its own server: schemas are dropped and an endpoint or topic keeps its plain fields.
 * Not by treeshake.manualPureFunctions: it goes by name, and minified libraries have functions called `z`.
 */
function stripSchemas(): Plugin {
  return {
    name: 'strip-schemas',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!CONTRACT.test(id)) return null;
      const edits: { start: number; end: number; text: string }[] = [];
      for (const statement of this.parse(code).body as unknown as Statement[]) {
        for (const { init } of (statement.declaration ?? statement).declarations ?? []) {
          if (!init) continue;
          const root = rootName(init);
          if (SCHEMAS.has(root)) edits.push({ start: init.start, end: init.end, text: 'undefined' });
          if (root !== 'endpoint' && root !== 'topic') continue;
          const fields = (init as Call).arguments[0]?.properties.filter(({ key }) => SENT.has(key.name)) ?? [];
          const text = `{ ${fields.map(({ start, end }) => code.slice(start, end)).join(', ')} }`;
          edits.push({ start: init.start, end: init.end, text });
        }
      }
      let out = code;
      for (const { start, end, text } of edits.toReversed()) out = out.slice(0, start) + text + out.slice(end);
      return { code: out, map: null };
    },
  };
}

const LUCIDE = join(import.meta.dirname, 'node_modules/lucide-react/dist/esm');
const FACTORY = join(import.meta.dirname, 'src/ui/icon.tsx');

/**
 * Icons come one by one, as their shapes. Through the index of the package every icon of a late part would count as needed
 * at first, and its own factory serves a dozen properties that nothing here uses.
 */
function icons(): Plugin {
  const files = new Map<string, string>();
  return {
    name: 'icons',
    apply: 'build',
    enforce: 'post',
    buildStart() {
      const index = readFileSync(join(LUCIDE, 'lucide-react.mjs'), 'utf8');
      for (const [, names = '', file = ''] of index.matchAll(/export \{([^}]+)\} from '.\/(icons\/[^']+)'/g))
        for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, join(LUCIDE, file));
    },
    async load(id) {
      if (!id.startsWith(join(LUCIDE, 'icons/'))) return null;
      const { __iconData: data } = (await import(id)) as { __iconData: { node: unknown } };
      const shapes = JSON.stringify(data.node, (name, value: unknown) => (name === 'key' ? undefined : value));
      return `import { icon } from '${FACTORY}';\nexport default /* @__PURE__ */ icon(${shapes});`;
    },
    transform(code, id) {
      if (!id.startsWith(join(import.meta.dirname, 'src'))) return null;
      return code.replace(/import \{([^}]+)\} from ["']lucide-react["'];?/, (_, list: string) =>
        list
          .split(',')
          .map((part) => part.trim().split(' as '))
          .map(([name = '', local = name]) => `import ${local} from '${files.get(name)}';`)
          .join(''),
      );
    },
  };
}

/** Tailwind writes colours and properties twice, for browsers older than our target, and variables that nothing reads. */
function modernStyles(): Plugin {
  return {
    name: 'modern-styles',
    apply: 'build',
    transform: {
      filter: { id: /\.css$/ },
      handler(code) {
        const root = postcss.parse(code);
        root.walkAtRules('supports', (rule) => {
          if (!rule.params.includes('color-mix(')) return;
          const mixed = rule.nodes?.[0];
          const plain = rule.prev();
          if (mixed?.type === 'decl' && plain?.type === 'decl' && plain.prop === mixed.prop) plain.remove();
          rule.replaceWith(rule.nodes ?? []);
        });
        root.walkAtRules('layer', (rule) => {
          if (rule.params === 'properties' && rule.nodes) rule.remove();
        });
        root.walkComments((comment) => {
          comment.remove();
        });
        root.walkDecls((rule) => {
          // The reset makes every border solid, nothing divides from below, nothing fades from colour to colour.
          if (rule.value === 'var(--tw-border-style)') rule.remove();
          rule.value = rule.value
            .replaceAll('var(--tw-divide-y-reverse)', '0')
            .replace(/(, ?--tw-gradient-(from|via|to))+/, '');
        });
        const text = root.toString();
        const isUnread = (name: string) => name.startsWith('--tw-') && !text.includes(`var(${name}`);
        root.walkDecls((rule) => {
          if (isUnread(rule.prop)) rule.remove();
        });
        root.walkAtRules('property', (rule) => {
          if (isUnread(rule.params)) rule.remove();
        });
        return { code: root.toString(), map: null };
      },
    },
    // Written by the minifier: marks for a function that nothing uses, and prefixed lines once for each of its runs.
    generateBundle(_, bundle) {
      for (const asset of Object.values(bundle)) {
        if (asset.type !== 'asset' || !asset.fileName.endsWith('.css')) continue;
        const root = postcss.parse(String(asset.source));
        root.walkDecls((rule) => {
          if (rule.prop.startsWith('--lightningcss-') || String(rule) === String(rule.next())) rule.remove();
        });
        asset.source = root.toString();
      }
    },
  };
}

const TYPEFACE = 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2';
const readLetters = () => parseLetters(readFileSync(join(import.meta.dirname, TYPEFACE)));

/** Icons and manifest follow the brand config, so that another name or mark is one edit. The server gets outlines to write with. */
function brand(): Plugin {
  return {
    name: 'brand-files',
    applyToEnvironment: ({ name }) => name !== 'worker',
    async generateBundle() {
      const files =
        this.environment.name === 'ssr'
          ? [{ fileName: 'letters.json', source: JSON.stringify(readLetters()) }]
          : await brandFiles(BRAND, readLetters());
      for (const { fileName, source } of files) this.emitFile({ type: 'asset', fileName, source });
    },
    async configureServer(server) {
      const files = await brandFiles(BRAND, readLetters());
      server.middlewares.use((request, response, next) => {
        const file = files.find(({ fileName }) => request.url === `/${fileName}`);
        if (!file) return next();
        response.setHeader('content-type', file.type);
        response.end(file.source);
      });
    },
  };
}

const ICONS = 'node_modules/@iconify-json/token-branded/icons.json';
const readLogos = () => coinLogos(JSON.parse(readFileSync(join(import.meta.dirname, ICONS), 'utf8')) as IconSet);

/** A style sheet with the logos of coins, which loads after the page; the server draws the tracked ones with it. */
function logos(): Plugin {
  return {
    name: 'coin-logos',
    load: { filter: { id: /\/coin-logos\.css(\?|$)/ }, handler: () => readLogos().all },
    generateBundle() {
      if (this.environment.name !== 'ssr') return;
      this.emitFile({ type: 'asset', fileName: 'tracked-logos.css', source: readLogos().tracked });
    },
  };
}

/** While developing, the worker comes from its source at the address that it is built to. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url === '/sw.js') request.url = WORKER;
        next();
      });
    },
  };
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    modernStyles(),
    stripSchemas(),
    icons(),
    brand(),
    logos(),
    serviceWorker(),
    bundledNotices(),
    compressed(),
  ],
  define: { __VERSION__: JSON.stringify(version), __NEWS__: JSON.stringify(news) },
  build: {
    target: 'baseline-widely-available',
    manifest: true,
    assetsInlineLimit: 0,
    // The styles of the app stand in the document.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !/\/app-[\w-]+\.(css|js)$/.test(file)),
    },
  },
  ssr: { noExternal: true },
  server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
  environments: {
    client: {
      build: {
        outDir: 'dist/client',
        rolldownOptions: {
          input: { app: APP, public: 'src/app/web/public/entry.ts' },
          output: { codeSplitting: { groups: codeGroups(APP) } },
        },
      },
    },
    worker: {
      consumer: 'client',
      build: {
        outDir: 'dist/client',
        emptyOutDir: false,
        copyPublicDir: false,
        manifest: false,
        rolldownOptions: {
          input: { sw: join(import.meta.dirname, WORKER) },
          output: { format: 'iife', entryFileNames: '[name].js' },
        },
      },
    },
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: 'dist/server',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: { 'entry-server': 'src/app/web/entry-server.tsx' } },
      },
    },
  },
  builder: {
    buildApp: async (builder) => {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
    },
  },
});

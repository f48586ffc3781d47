import { defineConfig } from 'oxlint';

type Ban = { regex: string; importNames?: string[]; message: string };

const ESCAPE: Ban = {
  regex: '^\\.\\./\\.\\./',
  message: 'Relative imports stay inside one feature; use #features, #kernel, #ui, #app, #shared or #sandbox.',
};
const NO_SERVER: Ban = {
  regex: '^(#app/server|#kernel|#sandbox|node:|fastify|pg|pg-boss|kysely|ccxt|#features/[^/]+/server)|(^|/)server/',
  message: 'The browser never imports the server.',
};
const NO_FULL_ZOD: Ban = { regex: '^zod$', message: 'The browser pays for full zod: import zod/mini.' };
const OWN_LINKS: Ban = {
  regex: '^react-router$',
  importNames: ['Link', 'NavLink', 'BrowserRouter', 'useSearchParams'],
  message: 'The first load pays 5 kB for these: see #ui/link.tsx and #ui/search-params.ts.',
};
const ISLAND: Ban = {
  regex: '^#features/[^/]+/web',
  message: 'Web features are islands: a page in src/app/web/pages composes them.',
};
const NO_WEB: Ban = {
  regex: '^(#app/web|#ui|react|react-dom|react-router|@tanstack|#features/[^/]+/web)|(^|/)web/',
  message: 'The server never imports the browser.',
};
/** Mails are drawn with React's elements, and with nothing else of the browser. */
const NO_WEB_BUT_REACT: Ban = { ...NO_WEB, regex: NO_WEB.regex.replace('|react|', '|react[-/]|') };
const FRONT_DOOR: Ban = {
  regex: '^#features/[^/]+/server/([^/]+/)?((routes|store|schema|providers)|jobs[.]ts)',
  message: 'Another feature is entered by its contract or a service.ts of its server.',
};
const SQL_ONLY: Ban = {
  regex: '^(fastify|#features/[^/]+/server|\\.\\.?/(service|routes|jobs|providers))',
  message: 'A store speaks SQL only.',
};
const PURE_CONTRACT: Ban = {
  regex: '^(zod$|#app|#kernel|#ui|#sandbox|node:|fastify|react|kysely|pg|ccxt|pino|ws$|@)|(^|/)(server|web)/',
  message: 'A contract imports zod/mini, #shared and other contracts only.',
};
const NO_FEATURE: Ban = { regex: '^(#features|#app)', message: 'The ground knows no feature and nothing above it.' };
const NO_APP: Ban = { regex: '^#app', message: 'A feature does not know what puts features together.' };
const SANDBOX_ONLY: Ban = {
  regex: '^(#app|#kernel|#ui|#features|fastify|pg|kysely|react|zod|ccxt|@)',
  message: 'The sandbox imports node:, ws and #shared only.',
};
const NO_TOOLS: Ban = {
  regex: '(^|/)(bench|scripts|tests)/|^#tests',
  message: 'Nothing imports bench, scripts or tests.',
};

const NO_TOOLS_BUT_SUPPORT: Ban = {
  regex: '(^|/)(bench|scripts)/|^#tests/(e2e|node|fixtures)',
  message: 'Tests import #tests/support only.',
};
const NO_ENV = { object: 'process', property: 'env', message: 'Configuration is read in kernel/config.ts only.' };
const NO_CLOCK = { object: 'Date', property: 'now', message: 'The server asks deps.now().' };

const banProperties = (...bans: { object: string; property: string; message: string }[]) => ({
  'no-restricted-properties': ['error', ...bans] as ['error', ...typeof bans],
});

const ban = (...patterns: Ban[]) => ({
  'no-restricted-imports': ['error', { patterns }] as ['error', { patterns: Ban[] }],
});
export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'max-lines': ['error', { max: 300 }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'oxc/no-map-spread': 'off',
    'import/no-named-as-default-member': 'off',
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    ...ban(ESCAPE),
  },
  overrides: [
    { files: ['src/**/*.ts', 'src/**/*.tsx'], rules: banProperties(NO_ENV) },
    {
      files: ['src/app/server/**', 'src/kernel/**', 'src/features/*/server/**'],
      rules: banProperties(NO_ENV, NO_CLOCK),
    },
    { files: ['src/app/server/**'], rules: ban(ESCAPE, NO_WEB, NO_TOOLS) },
    { files: ['src/kernel/**'], rules: ban(ESCAPE, NO_WEB, NO_FEATURE, NO_TOOLS) },
    {
      files: ['src/kernel/mail/blocks.ts', 'src/kernel/mail/layout.ts'],
      rules: ban(ESCAPE, NO_WEB_BUT_REACT, NO_FEATURE, NO_TOOLS),
    },
    { files: ['src/sandbox/**'], rules: ban(ESCAPE, SANDBOX_ONLY, NO_TOOLS) },
    { files: ['src/ui/**'], rules: ban(ESCAPE, NO_SERVER, NO_FULL_ZOD, OWN_LINKS, NO_FEATURE, NO_TOOLS) },
    { files: ['src/app/web/**'], rules: ban(ESCAPE, NO_SERVER, NO_FULL_ZOD, OWN_LINKS, NO_TOOLS) },
    { files: ['src/features/*/server/**'], rules: ban(ESCAPE, NO_WEB, FRONT_DOOR, NO_APP, NO_TOOLS) },
    {
      files: ['src/features/*/server/**/store.ts', 'src/features/*/server/**/store/**'],
      rules: ban(ESCAPE, NO_WEB, SQL_ONLY, NO_APP, NO_TOOLS),
    },
    {
      files: ['src/features/*/web/**'],
      rules: ban(ESCAPE, NO_SERVER, NO_FULL_ZOD, OWN_LINKS, ISLAND, NO_APP, NO_TOOLS),
    },
    {
      files: ['src/features/*/contract.ts', 'src/features/*/contract/**'],
      rules: ban(PURE_CONTRACT, NO_TOOLS),
    },
    { files: ['src/shared/**'], rules: ban(PURE_CONTRACT, NO_FEATURE, NO_TOOLS) },
    { files: ['src/kernel/config.ts'], rules: banProperties(NO_CLOCK) },
    { files: ['src/kernel/clock.ts'], rules: banProperties(NO_ENV) },
    {
      files: ['**/*.test.ts', '**/*.test.tsx'],
      rules: { 'no-restricted-properties': 'off', 'no-console': 'off', ...ban(ESCAPE, NO_TOOLS_BUT_SUPPORT) },
    },
    // The guards of the house look at everything, tools included.
    { files: ['tests/node/**'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['scripts/**', 'bench/**', 'ops/**', 'src/app/server/main.ts', 'src/app/server/commands/**'],
      rules: { 'no-console': 'off' },
    },
    {
      // Vitest loads a reporter by its default export.
      files: ['*.config.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { APP_PAGES, DEMO_PAGES, FIGURE_PAGE, NAME_PAGES } from '#app/server/pages/page-names.ts';

const ROUTES = join(import.meta.dirname, '../..', 'src/app/web/pages/more-pages.tsx');

test('the server knows every page of the app by name', () => {
  const rows = readFileSync(ROUTES, 'utf8').matchAll(/^ {2}\['([\w/:-]+)', \w+Page\],$/gm);
  const routed = [...rows].map(([, path]) => `/app/${path}`);
  expect(routed.length).toBeGreaterThan(10);
  expect(routed.filter((path) => !(path in { ...APP_PAGES, ...NAME_PAGES, ...DEMO_PAGES, [FIGURE_PAGE]: {} }))).toEqual(
    [],
  );
});

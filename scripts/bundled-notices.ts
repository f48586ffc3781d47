import { join } from 'node:path';

import type { Plugin } from 'vite';

import { formatNotices, nameOf, STYLES, shippedPackages } from './licences/judge.ts';

const PACKAGE_FOLDER = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/**
 * The minifier removes licences from the bundle, so they are written to a separate file, for exactly the packages it
 * contains.
 */
export function bundledNotices(): Plugin {
  return {
    name: 'bundled-notices',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      const root = this.environment.config.root;
      const places = new Set(STYLES.map((name) => join(root, 'node_modules', name)));
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const [, place] = PACKAGE_FOLDER.exec(id.replaceAll('\\', '/')) ?? [];
          if (place !== undefined) places.add(place);
        }
      }
      const known = shippedPackages(root).filter(({ folder }) => places.has(folder));
      const unknown = [...places].filter((place) => known.every(({ folder }) => folder !== place));
      if (unknown.length > 0) this.error(`Not among the packages of the product: ${unknown.map(nameOf).join(', ')}`);
      this.emitFile({ type: 'asset', fileName: 'third-party-notices.txt', source: formatNotices(known) });
    },
  };
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Plugin } from 'vite';

/** Text is compressed once, here, at the highest level: the server only selects a file. */
export function compressed(): Plugin {
  return {
    name: 'compressed-assets',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name !== 'ssr',
    writeBundle({ dir = '' }, bundle) {
      for (const file of Object.keys(bundle).filter((name) => /\.(js|css|svg|txt|webmanifest)$/.test(name))) {
        const body = readFileSync(join(dir, file));
        writeFileSync(join(dir, `${file}.br`), brotliCompressSync(body));
        writeFileSync(join(dir, `${file}.gz`), gzipSync(body, { level: 9 }));
      }
    },
  };
}

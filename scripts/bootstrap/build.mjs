import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { runQuietly } from './process.mjs';
import { BootstrapError, say, timed } from './report.mjs';

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

// oxlint-disable-next-line unicorn/no-array-sort, typescript/require-array-sort-compare -- Node 18 has no toSorted
const inOrder = (files) => files.sort();

/** Every source file of the web half, in a fixed order. */
export function webSources(root) {
  const features = join(root, 'src/features');
  const ofFeatures = (existsSync(features) ? readdirSync(features) : []).flatMap((name) => [
    join(features, name, 'contract.ts'),
    join(features, name, 'contract'),
    join(features, name, 'web'),
  ]);
  const others = [
    'src/app/web',
    'src/ui',
    'src/shared',
    'public',
    'vite.config.ts',
    'scripts/bundled-notices.ts',
    'scripts/code-groups.ts',
    'scripts/compressed.ts',
    'scripts/licences',
    'CHANGELOG.md',
    'package-lock.json',
  ];
  return inOrder([...others.map((path) => join(root, path)), ...ofFeatures].flatMap(filesUnder));
}

/** Every source file of the server half, and what both halves share, in a fixed order. */
export function serverSources(root) {
  const files = ['src', 'vite.server.config.ts', 'package-lock.json'].flatMap((path) => filesUnder(join(root, path)));
  return inOrder(files.filter((file) => !/\.test\.tsx?$/.test(file)));
}

/** What is built, in which order, and the file with the stamp of the sources that it was built from. */
const HALVES = {
  web: { what: 'web app', stamp: 'dist/.meridian-stamp', sources: webSources, args: ['--app'] },
  server: {
    what: 'server',
    stamp: 'dist/process/.meridian-stamp',
    sources: serverSources,
    args: ['--config', 'vite.server.config.ts'],
  },
};

export function sourceStamp(root, half) {
  const hash = createHash('sha256');
  for (const file of HALVES[half].sources(root)) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const isHalfBuilt = (root, half) => {
  const stamp = join(root, HALVES[half].stamp);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceStamp(root, half);
};

export const isBuilt = (root) => Object.keys(HALVES).every((half) => isHalfBuilt(root, half));

/** Builds the halves whose sources have changed. */
export async function build(root, node) {
  for (const [half, { what, stamp, args }] of Object.entries(HALVES)) {
    if (isHalfBuilt(root, half)) continue;
    const written = sourceStamp(root, half);
    rmSync(join(root, stamp), { force: true });
    await timed(`Building the ${what}`, async () => {
      const vite = join('node_modules', 'vite', 'bin', 'vite.js');
      const { code, output } = await runQuietly(node.path, [vite, 'build', ...args], root);
      if (code === 0) return;
      say(`\n${output}`);
      throw new BootstrapError(`Failed to build the ${what}: see the output of Vite above.`);
    });
    mkdirSync(dirname(join(root, stamp)), { recursive: true });
    writeFileSync(join(root, stamp), written);
  }
}

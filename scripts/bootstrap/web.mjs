import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { runQuietly } from './process.mjs';
import { BootstrapError, say, timed } from './report.mjs';

const stampOf = (root) => join(root, 'dist', '.meridian-stamp');

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}

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
  const files = [...others.map((path) => join(root, path)), ...ofFeatures].flatMap(filesUnder);
  // oxlint-disable-next-line unicorn/no-array-sort, typescript/require-array-sort-compare -- Node 18 has no toSorted
  return files.sort();
}

export function webStamp(root) {
  const hash = createHash('sha256');
  for (const file of webSources(root)) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

export function isWebBuilt(root) {
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === webStamp(root);
}

export async function buildWeb(root, node) {
  const stamp = webStamp(root);
  rmSync(stampOf(root), { force: true });
  await timed('Building the web app', async () => {
    const { code, output } = await runQuietly(
      node.path,
      [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--app'],
      root,
    );
    if (code === 0) return;
    say(`\n${output}`);
    throw new BootstrapError('Failed to build the web app: see the output of Vite above.');
  });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stampOf(root), stamp);
}

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainFailure, isUsageError, runNpm } from './npm.mjs';
import { BootstrapError, timed } from './report.mjs';

const stampOf = (root) => join(root, 'node_modules', '.meridian-stamp');

export function packagesStamp(lockfile, nodeVersion) {
  return createHash('sha256').update(lockfile).update('\0').update(nodeVersion).digest('hex');
}

const wantedStamp = (root, node) => packagesStamp(readFileSync(join(root, 'package-lock.json')), node.version);

/** Direct dependencies of package.json that are missing, because an installation was interrupted. */
export function missingPackages(root) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
  );
}

export function arePackagesReady(root, node) {
  const folder = join(root, 'node_modules');
  // A linked folder is managed by another checkout.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  return (
    existsSync(stampOf(root)) &&
    readFileSync(stampOf(root), 'utf8') === wantedStamp(root, node) &&
    existsSync(join(folder, '.package-lock.json')) &&
    missingPackages(root).length === 0
  );
}

export async function installPackages(root, node) {
  const stamp = wantedStamp(root, node);
  // Without the stamp, the next start repeats an installation interrupted from here on.
  rmSync(stampOf(root), { force: true });
  await timed('Installing packages', async () => {
    let { code, output } = await runNpm(node.path, ['ci'], root);
    if (code !== 0 && isUsageError(output))
      ({ code, output } = await runNpm(node.path, ['install', '--no-save'], root));
    if (code !== 0) throw new BootstrapError(`Failed to install the packages: ${explainFailure(output)}.`);
  });
  writeFileSync(stampOf(root), stamp);
}

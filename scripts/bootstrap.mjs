// Plain JavaScript without dependencies: it has to run on a machine with only an older Node.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './bootstrap/build.mjs';
import { COMMANDS, planFor } from './bootstrap/commands.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { findNode, installNode } from './bootstrap/node.mjs';
import { arePackagesReady, installPackages } from './bootstrap/packages.mjs';
import { handOver } from './bootstrap/process.mjs';
import { BootstrapError, say } from './bootstrap/report.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The Node to run on when nothing is left to prepare, else undefined. */
function findReadyNode(plan) {
  const node = findNode(root);
  if (!node || (plan.packages && !arePackagesReady(root, node)) || (plan.build && !isBuilt(root))) return undefined;
  return node;
}

/** Each step checks again: another start may have done it while this one waited for the lock. */
async function prepare(plan) {
  const node = findNode(root) ?? (await installNode(root));
  if (plan.packages && !arePackagesReady(root, node)) await installPackages(root, node);
  if (plan.build && !isBuilt(root)) await build(root, node);
  return node;
}

async function main() {
  const plan = planFor(process.argv.slice(2));
  if (!plan) throw new BootstrapError(`Commands: ${Object.keys(COMMANDS).join(', ')}.`);
  const node = findReadyNode(plan) ?? (await withLock(join(root, '.runtime', 'lock'), () => prepare(plan)));
  if (plan.run) handOver(node.path, plan.run, root, plan);
}

main().catch((error) => {
  say(error instanceof BootstrapError ? error.message : error.stack);
  process.exitCode = 1;
});

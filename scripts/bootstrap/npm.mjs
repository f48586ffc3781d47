import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { runQuietly } from './process.mjs';
import { BootstrapError } from './report.mjs';

const FLAGS = [
  '--include=dev',
  '--ignore-scripts',
  // The checksums in the lockfile verify cached packages: without this a machine without network waits for minutes.
  '--prefer-offline',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
];
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|network request/;

/** The npm program, which can run under a different Node. */
export function findNpm({ env = process.env, execPath = process.execPath } = {}) {
  const bin = dirname(execPath);
  const inPath = (env.PATH ?? env.Path ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    env.npm_execpath,
    join(bin, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(bin, 'node_modules/npm/bin/npm-cli.js'),
    ...inPath.flatMap((folder) => [join(folder, 'npm'), join(folder, 'node_modules/npm/bin/npm-cli.js')]),
    '/usr/share/nodejs/npm/bin/npm-cli.js',
  ];
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue;
    const file = realpathSync(candidate);
    if (basename(file) === 'npm-cli.js') return file;
  }
  return undefined;
}

/** Runs npm under `node`; returns { code, output }. */
export function runNpm(node, args, cwd) {
  const npm = findNpm();
  if (!npm) throw new BootstrapError('npm was not found next to Node. Install npm and start again.');
  return runQuietly(node, [npm, ...args, ...FLAGS], cwd);
}

export function isUsageError(output) {
  return /\bEUSAGE\b/.test(output);
}

// `path` is the folder that npm could not create or write to; with a read-only HOME it is the npm cache.
const CACHE = /^npm (?:error|ERR!) path (.*[\\/](?:\.npm|npm-cache|_cacache)\b.*)$/m;

/** One sentence that explains npm's error output. */
export function explainFailure(output) {
  const [, cache] = CACHE.exec(output) ?? [];
  if (cache && /\b(EACCES|EPERM|EROFS|ENOENT)\b/.test(output))
    return `npm cannot write its cache in ${cache} (set HOME or npm_config_cache to a writable folder)`;
  if (NO_NETWORK.test(output)) return 'cannot reach the package registry (check the network)';
  if (/ENOSPC/.test(output)) return 'the disk is full';
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) return 'the folder is not writable';
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return `npm reports: ${lines.find((line) => line && !line.startsWith('code ')) ?? 'nothing'}`;
}

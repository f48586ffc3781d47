// npm refuses a lockfile that leaves out an optional per-platform package, and some registries do not serve them all:
// this adds the missing entries by name, so that `npm ci` accepts the lockfile everywhere.
import { readFileSync, writeFileSync } from 'node:fs';

import { runNpm } from './bootstrap/npm.mjs';

const OS = /(android|darwin|freebsd|linux|win32|windows|openharmony|aix|netbsd|openbsd|sunos)/;
const CPU =
  /(arm64|aarch64|x64|amd64|ia32|arm-eabi|arm-gnueabihf|arm-musleabihf|riscv64|ppc64|s390x|loong64|mips64el|wasm32|arm)/;
const CPU_NAMES = {
  amd64: 'x64',
  aarch64: 'arm64',
  'arm-eabi': 'arm',
  'arm-gnueabihf': 'arm',
  'arm-musleabihf': 'arm',
};

/** Where node resolves `name` when required from the package at `from`, or undefined. */
export function resolveInLock(packages, from, name) {
  for (let at = from; ; ) {
    const key = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[key]) return key;
    if (!at) return undefined;
    const parent = at.lastIndexOf('/node_modules/');
    at = parent < 0 ? '' : at.slice(0, parent);
  }
}

/** Optional dependencies without a lock entry, as [owner, name, range]. */
export function missingOptional(lock) {
  return Object.entries(lock.packages).flatMap(([owner, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !resolveInLock(lock.packages, owner, name))
      .map(([name, range]) => [owner, name, range]),
  );
}

function parsePlatform(name) {
  const os = OS.exec(name)?.[1];
  const cpu = CPU.exec(name)?.[1];
  return {
    ...(os ? { os: [os === 'windows' ? 'win32' : os] } : {}),
    ...(cpu ? { cpu: [CPU_NAMES[cpu] ?? cpu] } : {}),
    ...(/musl/.test(name) ? { libc: ['musl'] } : /gnu/.test(name) ? { libc: ['glibc'] } : {}),
  };
}

/** Entries that npm would install without a checksum, as [key, name, version]. */
export function unchecked(lock) {
  return Object.entries(lock.packages).flatMap(([key, { version, integrity, link }]) =>
    key === '' || integrity || link ? [] : [[key, key.slice(key.lastIndexOf('node_modules/') + 13), version]],
  );
}

/** The checksum published by the registry; undefined where it does not serve the package. */
async function publishedIntegrity(name, version) {
  const { code, output } = await runNpm(process.execPath, ['view', `${name}@${version}`, 'dist.integrity'], '.');
  return code === 0 ? /^sha512-\S+$/m.exec(output)?.[0] : undefined;
}

export function completeLock(lock) {
  const missing = missingOptional(lock);
  for (const [owner, name, range] of missing) {
    if (!/^\d/.test(range)) throw new Error(`${owner} asks for ${name}@${range}: only exact versions can be completed`);
    const dev = lock.packages[owner].dev;
    lock.packages[`node_modules/${name}`] = {
      version: range,
      ...parsePlatform(name),
      ...(dev ? { dev: true } : {}),
      optional: true,
    };
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return missing.length;
}

if (import.meta.main ?? process.argv[1]?.endsWith('complete-lock.mjs')) {
  const file = process.argv[2] ?? 'package-lock.json';
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const added = completeLock(lock);
  const missingIntegrity = unchecked(lock);
  let checked = 0;
  for (const [key, name, version] of missingIntegrity) {
    const integrity = await publishedIntegrity(name, version);
    if (!integrity) continue;
    const { version: _, ...rest } = lock.packages[key];
    lock.packages[key] = { version, integrity, ...rest };
    checked += 1;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${file}: ${added} optional packages added, ${checked} of ${missingIntegrity.length} missing checksums`);
}

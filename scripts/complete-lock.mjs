// npm refuses a lockfile that leaves out an optional per-platform package, and some registries do not serve them all:
// this adds the missing entries by name, so that `npm ci` accepts the lockfile everywhere.
import { readFileSync, writeFileSync } from 'node:fs';

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

/** Where node would find `name` when required from the package at `from`, or undefined. */
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

function platformOf(name) {
  const os = OS.exec(name)?.[1];
  const cpu = CPU.exec(name)?.[1];
  return {
    ...(os ? { os: [os === 'windows' ? 'win32' : os] } : {}),
    ...(cpu ? { cpu: [CPU_NAMES[cpu] ?? cpu] } : {}),
    ...(/musl/.test(name) ? { libc: ['musl'] } : /gnu/.test(name) ? { libc: ['glibc'] } : {}),
  };
}

export function completeLock(lock) {
  const missing = missingOptional(lock);
  for (const [owner, name, range] of missing) {
    if (!/^\d/.test(range)) throw new Error(`${owner} asks for ${name}@${range}: only exact versions can be completed`);
    const dev = lock.packages[owner].dev;
    lock.packages[`node_modules/${name}`] = {
      version: range,
      ...platformOf(name),
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
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${file}: ${added} optional packages added`);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { ROOT } from './support.ts';

type Entry = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> };
type Lock = { packages: Record<string, Entry> };
type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const { completeLock, missingOptional, unchecked } = (await import(join(ROOT, 'scripts/complete-lock.mjs'))) as {
  missingOptional: (lock: Lock) => [owner: string, name: string, range: string][];
  completeLock: (lock: Lock) => number;
  unchecked: (lock: Lock) => [key: string, name: string, version: string][];
};

const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

describe('package-lock.json', () => {
  const lock = read('package-lock.json') as Lock;

  test('holds an entry for every optional dependency, so that `npm ci` accepts it on every platform', () => {
    expect(missingOptional(lock)).toEqual([]);
  });

  test('contains a checksum for every package served by the registry', () => {
    // A test tool: its builds for these platforms were never published.
    const unpublished = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu', 'linux-arm64-musl', 'linux-x64-musl'];
    expect(unchecked(lock).map(([, name]) => name)).toEqual(unpublished.map((platform) => `litesvm-${platform}`));
  });

  test('names no registry, so that it installs from any', () => {
    expect(Object.entries(lock.packages).filter(([, entry]) => entry.resolved)).toEqual([]);
  });

  test('matches package.json', () => {
    const manifest = read('package.json') as Manifest;
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    const locked = Object.keys(wanted).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(locked)).toEqual(wanted);
  });
});

describe('package.json', () => {
  test('pins exact versions only', () => {
    const { dependencies, devDependencies, optionalDependencies } = read('package.json') as Manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});

describe('complete-lock', () => {
  test('adds entries omitted by a registry, with their platform', () => {
    const lock: Lock = {
      packages: {
        'node_modules/fast': { version: '1.0.0', optionalDependencies: { '@fast/linux-x64-musl': '1.0.0' } },
      },
    };
    expect(missingOptional(lock)).toEqual([['node_modules/fast', '@fast/linux-x64-musl', '1.0.0']]);
    expect(completeLock(lock)).toBe(1);
    expect(missingOptional(lock)).toEqual([]);
    expect(lock.packages['node_modules/@fast/linux-x64-musl']).toEqual({
      version: '1.0.0',
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
      optional: true,
    });
  });

  test('rejects a range, which cannot be completed by name', () => {
    const packages = { 'node_modules/fast': { version: '1.0.0', optionalDependencies: { '@fast/linux': '^1.0.0' } } };
    expect(() => completeLock({ packages })).toThrow(/only exact versions/);
  });
});

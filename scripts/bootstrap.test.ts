import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

type Plan = { packages: boolean; build: boolean; run?: string[] };
type Bootstrap = {
  COMMANDS: Record<string, unknown>;
  planFor(argv: string[]): Plan | undefined;
  chooseNode(version: string, platform: string): string;
  packagesStamp(lockfile: string, nodeVersion: string): string;
  missingPackages(root: string): string[];
  arePackagesReady(root: string, node: { version: string }): boolean;
  webSources(root: string): string[];
  serverSources(root: string): string[];
  sourceStamp(root: string, half: 'web' | 'server'): string;
  isBuilt(root: string): boolean;
  findHolder(file: string): number | undefined;
  withLock<Result>(file: string, action: () => Promise<Result>): Promise<Result>;
  envWith(node: string, env: Record<string, string>): Record<string, string>;
  isUsageError(output: string): boolean;
  explainFailure(output: string): string;
};

const modules = ['commands', 'node', 'packages', 'build', 'lock', 'process', 'npm'];
const bootstrap = Object.assign(
  {},
  ...(await Promise.all(
    modules.map((name) => import(new URL(`./bootstrap/${name}.mjs`, import.meta.url).href) as Promise<object>),
  )),
) as Bootstrap;

const scratch = mkdtempSync(join(tmpdir(), 'meridian-bootstrap-'));
let root: string;
let count = 0;

beforeEach(() => {
  count += 1;
  root = join(scratch, String(count));
  mkdirSync(root);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function put(path: string, content = ''): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe('commands', () => {
  test('every npm script has a command, and every command an npm script', () => {
    const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toEqual(Object.keys(bootstrap.COMMANDS));
    for (const [name, line] of Object.entries(scripts)) {
      const plain = `node scripts/bootstrap.mjs ${name}`;
      // With `exec`, no shell between npm and the product swallows signals; cmd.exe does not know `exec` and runs the
      // alternative.
      expect(line).toBe(name === 'start' ? `exec ${plain} || ${plain}` : plain);
    }
  });

  test.each([
    [
      ['start'],
      {
        packages: true,
        build: true,
        run: ['--max-semi-space-size=8', '--heap-growing-percent=100', 'dist/process/main.js'],
        mergesSignals: true,
      },
    ],
    [
      ['job', 'market.collect', '--once'],
      {
        packages: true,
        build: false,
        run: ['src/app/server/main.ts', 'job', 'market.collect', '--once'],
        mergesSignals: true,
      },
    ],
    [['build'], { packages: true, build: true, run: undefined, mergesSignals: false }],
    [['lock'], { packages: false, build: false, run: ['scripts/complete-lock.mjs'], mergesSignals: false }],
    [['constructor'], undefined],
    [[], undefined],
  ])('%j', (argv, plan) => {
    expect(bootstrap.planFor(argv)).toEqual(plan);
  });
});

describe('the Node version used', () => {
  test.each([
    ['24.0.0', 'linux-x64', 'running'],
    ['26.1.0', 'darwin-arm64', 'running'],
    ['22.21.0', 'linux-x64', 'private'],
    ['20.20.2', 'linux-arm64', 'private'],
    ['18.0.0', 'win32-x64', 'private'],
    ['22.18.0', 'darwin-arm64', 'enough'],
    ['22.17.9', 'darwin-arm64', 'none'],
    ['20.20.2', 'freebsd-x64', 'none'],
  ])('%s on %s: %s', (version, platform, choice) => {
    expect(bootstrap.chooseNode(version, platform)).toBe(choice);
  });

  test('comes first in the PATH of child processes', () => {
    expect(bootstrap.envWith('/private/bin/node', { PATH: '/usr/bin', A: 'b' })).toEqual({
      PATH: `/private/bin${delimiter}/usr/bin`,
      A: 'b',
    });
  });
});

describe('packages', () => {
  const node = { version: '24.21.0' };

  function install(): void {
    put('package.json', '{ "dependencies": { "pg": "1.0.0" }, "devDependencies": { "@a/b": "1.0.0" } }');
    put('package-lock.json', '{}');
    for (const name of ['pg', '@a/b']) put(`node_modules/${name}/package.json`);
    put('node_modules/.package-lock.json');
    put('node_modules/.meridian-stamp', bootstrap.packagesStamp('{}', node.version));
  }

  test('are ready when the stamp matches and nothing is missing', () => {
    install();
    expect(bootstrap.arePackagesReady(root, node)).toBe(true);
  });

  test.each([
    ['the lockfile has changed', () => put('package-lock.json', '{ "changed": true }')],
    ['the stamp is missing', () => rmSync(join(root, 'node_modules/.meridian-stamp'))],
    ['npm did not finish', () => rmSync(join(root, 'node_modules/.package-lock.json'))],
    ['a package is missing', () => rmSync(join(root, 'node_modules/@a'), { recursive: true })],
  ])('are reinstalled when %s', (_, change) => {
    install();
    change();
    expect(bootstrap.arePackagesReady(root, node)).toBe(false);
  });

  test('are reinstalled for another Node version', () => {
    install();
    expect(bootstrap.arePackagesReady(root, { version: '24.22.0' })).toBe(false);
  });

  test('of another checkout are left untouched', () => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync('elsewhere', join(root, 'node_modules'));
    expect(bootstrap.arePackagesReady(root, node)).toBe(true);
  });

  test.each([
    ['npm error code ENOTFOUND\nnpm error network request failed', /cannot reach the package registry/],
    ['npm error code ENOSPC', /the disk is full/],
    [
      'npm error code EROFS\nnpm error syscall mkdir\nnpm error path /ro/.npm\nnpm error enoent Invalid response body while trying to fetch https://r/x',
      /^npm cannot write its cache in \/ro\/\.npm \(set HOME or npm_config_cache to a writable folder\)$/,
    ],
    ['npm error code E404\nnpm error 404 Not Found', /^npm reports: 404 Not Found$/],
  ])('reports a failure in one sentence: %j', (output, sentence) => {
    expect(bootstrap.explainFailure(output)).toMatch(sentence);
    expect(bootstrap.isUsageError(output)).toBe(false);
  });

  test('a lockfile rejected by npm is a usage error', () => {
    expect(bootstrap.isUsageError('npm error code EUSAGE\n')).toBe(true);
  });
});

describe('the build', () => {
  test('has a stamp per half: the names and contents of its sources', () => {
    for (const path of [
      'src/app/web/a.ts',
      'src/shared/b.ts',
      'src/features/x/contract.ts',
      'src/features/y/contract/b.ts',
      'src/features/x/web/c.tsx',
      'src/ui/d.tsx',
    ])
      put(path);
    for (const path of ['src/features/x/server/store.ts', 'src/app/server/main.ts', 'README.md'])
      put(path, 'not part of it');
    for (const path of [
      'public/icon.svg',
      'vite.config.ts',
      'package-lock.json',
      'CHANGELOG.md',
      'scripts/compressed.ts',
    ])
      put(path);
    const names = bootstrap.webSources(root).map((file) => file.slice(root.length + 1));
    expect(names).toEqual([
      'CHANGELOG.md',
      'package-lock.json',
      'public/icon.svg',
      'scripts/compressed.ts',
      'src/app/web/a.ts',
      'src/features/x/contract.ts',
      'src/features/x/web/c.tsx',
      'src/features/y/contract/b.ts',
      'src/shared/b.ts',
      'src/ui/d.tsx',
      'vite.config.ts',
    ]);
    put('src/app/server/main.test.ts', 'not built');
    put('vite.server.config.ts');
    expect(bootstrap.serverSources(root).map((file) => file.slice(root.length + 1))).toEqual([
      'package-lock.json',
      'src/app/server/main.ts',
      'src/app/web/a.ts',
      'src/features/x/contract.ts',
      'src/features/x/server/store.ts',
      'src/features/x/web/c.tsx',
      'src/features/y/contract/b.ts',
      'src/shared/b.ts',
      'src/ui/d.tsx',
      'vite.server.config.ts',
    ]);
    const stamps = () => (['web', 'server'] as const).map((half) => bootstrap.sourceStamp(root, half));
    const [web = '', server = ''] = stamps();
    put('src/app/server/main.ts', 'changed');
    expect(stamps()).toEqual([web, expect.not.stringContaining(server)]);
    put('src/app/web/a.ts', 'changed');
    expect(stamps()[0]).not.toBe(web);
    const [newWeb = '', newServer = ''] = stamps();
    put('dist/.meridian-stamp', newWeb);
    put('dist/process/.meridian-stamp', server);
    expect(bootstrap.isBuilt(root)).toBe(false);
    put('dist/process/.meridian-stamp', newServer);
    expect(bootstrap.isBuilt(root)).toBe(true);
  });
});

describe('the lock', () => {
  test('admits one process at a time and is removed afterwards', async () => {
    const file = join(root, 'lock');
    const order: string[] = [];
    const work = (name: string) =>
      bootstrap.withLock(file, async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        order.push(`${name} out`);
      });
    await Promise.all([work('first'), work('second')]);
    expect(order).toEqual(['first in', 'first out', 'second in', 'second out']);
    expect(existsSync(file)).toBe(false);
  });

  test('of a dead process is taken over', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    put('lock', String(child.pid));
    expect(bootstrap.findHolder(join(root, 'lock'))).toBeUndefined();
    expect(await bootstrap.withLock(join(root, 'lock'), async () => 'done')).toBe('done');
  });

  test('holds while the npm process of a killed start still runs', () => {
    put('lock', `99999999 ${process.pid}`);
    expect(bootstrap.findHolder(join(root, 'lock'))).toBe(process.pid);
  });
});

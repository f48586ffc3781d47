import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  healthCheckPath,
  lintCompose,
  lintDockerfile,
  lintRestarts,
  lintUnits,
  readStages,
} from '../../scripts/image/lint.ts';
import { createContextFilter, parseCopy, parseStages } from '../../scripts/image/simulate.ts';
import { COMPILED } from '../support/compiled.ts';
import { ROOT } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-lint-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The shipped files, with one line changed. */
function changed(file: string, from: string, to: string): string {
  const files = [
    'Dockerfile',
    '.dockerignore',
    'compose.yaml',
    'ops',
    'package.json',
    'CHANGELOG.md',
    'LICENSE',
    'vite.config.ts',
  ];
  for (const name of files) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of readStages(ROOT).flatMap(({ steps }) => steps.filter((step) => step.name === 'COPY')))
    for (const source of parseCopy(name).sources)
      if (!parseCopy(name).from && !statSync(join(folder, source), { throwIfNoEntry: false })) {
        mkdirSync(join(folder, source, '..'), { recursive: true });
        writeFileSync(join(folder, source), '');
      }
  const text = readFileSync(join(folder, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(folder, file), text.replace(from, to));
  return folder;
}

describe('Dockerfile, compose.yaml and units', () => {
  test('match each other, the settings and the existing files', () => {
    expect([...lintDockerfile(ROOT), ...lintCompose(ROOT), ...lintUnits(ROOT), ...lintRestarts(ROOT)]).toEqual([]);
    expect(healthCheckPath(readStages(ROOT))).toBe('/api/health/live');
  });

  test.each<[string, string, string, string]>([
    ['Dockerfile', 'USER node', 'USER root', 'Dockerfile: the product would run as root'],
    ['Dockerfile', 'EXPOSE 3000', 'EXPOSE 3001', 'Dockerfile: EXPOSE is not PORT (3000)'],
    ['Dockerfile', 'COPY src src', 'COPY sources src', 'sources does not exist'],
    ['Dockerfile', '--from=build', '--from=later', 'there is no stage "later" before'],
    ['Dockerfile', 'NODE_ENV=production', 'SECRET_KEY=open NODE_ENV=production', 'ENV SECRET_KEY lays a secret open'],
    ['Dockerfile', 'EXPORTS_DIR=', 'EXPORT_DIR=', 'ENV EXPORT_DIR is no setting'],
    ['Dockerfile', '"--max-semi-space-size=8", ', '', 'CMD: --max-semi-space-size=8'],
    ['Dockerfile', 'scripts/code-groups.ts ', '', 'vite.config.ts imports scripts/code-groups.ts, which'],
    ['.dockerignore', '\n*\n', '\n', '.dockerignore lets .git/config into the image'],
  ])('%s: rejects %s turned into %s', (file, from, to, fault) => {
    expect(lintDockerfile(changed(file, from, to)).join('\n')).toContain(fault);
  });

  test.each<[string, string, string]>([
    ['TRUST_PROXY: "1"', 'TRUST_PROXY: "0"', 'TRUST_PROXY is not 1'],
    ['web-1:3000 web-2:3000', 'web-1:3000', 'the proxy leads to web-1:3000'],
    ['read_only: true', 'read_only: false', 'its file system may be written to'],
    ['    networks: [inside]\n    volumes:', "    ports: ['5432:5432']\n    volumes:", 'postgres: it publishes a port'],
    ['condition: service_healthy', 'condition: service_started', 'it does not wait until postgres is healthy'],
    ['    ROLE: web\n', '    ROLE: web\n    LOG: info\n', 'LOG is no setting'],
    ['- exports:/exports', '- export:/exports', 'there is no volume export'],
  ])('compose.yaml: rejects %s turned into %s', (from, to, fault) => {
    expect(lintCompose(changed('compose.yaml', from, to)).join('\n')).toContain(fault);
  });

  test('rejects a unit that runs as root, names no setting or starts a missing file', () => {
    const unit = 'ops/systemd/meridian.service';
    const faults = (from: string, to: string) => lintUnits(changed(unit, from, to)).join('\n');
    expect(faults('User=meridian\n', '')).toContain('User=meridian is missing');
    expect(faults('Environment=ROLE=all', 'Environment=ROLES=all')).toContain('ROLES is no setting');
    expect(faults('ops/run.mjs', 'ops/start.mjs')).toContain('ops/start.mjs does not exist');
    expect(faults(' --heap-growing-percent=100', '')).toContain('--heap-growing-percent=100 is missing');
  });

  test.each<[string, string, string, string]>([
    ['ops/caddy/Caddyfile', 'ready?except=database', 'ready', 'takes every process out while the database is away'],
    ['ops/caddy/Caddyfile', 'health_interval 2s', 'health_interval 3s', 'web-1: DRAIN_SECONDS is under 9'],
    ['compose.yaml', 'DRAIN_SECONDS: "6"', 'DRAIN_SECONDS: "5"', 'web-1: DRAIN_SECONDS is under 6'],
    ['compose.yaml', 'stop_grace_period: 31s', 'stop_grace_period: 25s', 'web-1: it is killed before 31 s'],
    ['ops/systemd/meridian-web@.service', 'DRAIN_SECONDS=6', 'LOG_LEVEL=info', 'DRAIN_SECONDS is under 6'],
    ['ops/systemd/meridian-web@.service', 'StopSec=31', 'StopSec=30', 'it is killed before 31 s'],
  ])('rejects a restart that loses requests: %s: %s turned into %s', (file, from, to, fault) => {
    expect(lintRestarts(changed(file, from, to)).join('\n')).toContain(fault);
  });

  test('continued lines are one instruction, and the last matching line of .dockerignore decides', () => {
    const stages = parseStages('# a\nFROM x AS one\nRUN a \\\n  && b\nFROM one\nCOPY --from=one /a /b ./\n');
    expect(stages.map(({ name, from, steps }) => [name, from, steps.map(({ value }) => value)])).toEqual([
      ['one', 'x', ['a && b']],
      ['1', 'one', ['--from=one /a /b ./']],
    ]);
    const isIncluded = createContextFilter('*\n!src\n**/*.test.ts\n');
    expect(['src/a/b.ts', 'src/a/b.test.ts', '.env', 'data/x'].map(isIncluded)).toEqual([true, false, false, false]);
  });
});

describe('file secrets', () => {
  test('are created once, in a folder only its owner can enter, and match each other', () => {
    const createSecrets = () =>
      spawnSync(process.execPath, ['ops/make-secrets.mjs', folder], { cwd: ROOT, encoding: 'utf8' });
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    expect(createSecrets().stdout.match(/created/g)).toHaveLength(3);
    const first = ['POSTGRES_PASSWORD', 'DATABASE_URL', 'SECRET_KEY'].map(read);
    expect(first[1]).toBe(`postgres://meridian:${first[0]}@postgres:5432/meridian`);
    expect(first[2]?.length).toBeGreaterThanOrEqual(32);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(createSecrets().stdout).toBe('');
    expect(['POSTGRES_PASSWORD', 'DATABASE_URL', 'SECRET_KEY'].map(read)).toEqual(first);
  });

  test('become settings by their names, and the environment takes precedence', () => {
    writeFileSync(join(folder, 'DATABASE_URL'), 'postgres://nobody:very-secret@127.0.0.1:9/none\n');
    writeFileSync(join(folder, 'PORT'), 'not a port\n');
    writeFileSync(join(folder, 'lower'), 'x');
    const env = { PATH: process.env['PATH'] ?? '', CREDENTIALS_DIRECTORY: folder, DATA_DIR: folder, DATA_MODE: 'live' };
    const settings = { ...env, ...COMPILED, PORT: '23389' };
    const rejected = spawnSync(process.execPath, ['ops/run.mjs'], { cwd: ROOT, env: settings, encoding: 'utf8' });
    expect(rejected.stderr).toMatch(/Cannot use the database of DATABASE_URL/);
    expect(rejected.stderr).not.toContain('very-secret');
    expect(rejected.status).toBe(1);
  });
});

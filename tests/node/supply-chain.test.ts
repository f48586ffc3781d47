import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { assessAudit } from '../../scripts/audit/judge.ts';
import { isAllowed, licenceFaults, licenceTexts, shippedPackages } from '../../scripts/licences/judge.ts';
import { filesOfRepository, ROOT } from './support.ts';

describe('licences', () => {
  const packages = shippedPackages(ROOT);

  test('every product package has an allowed license, or an exception with a reason', () => {
    expect(packages.length).toBeGreaterThan(200);
    expect(licenceFaults(packages)).toEqual([]);
  });

  test('packages shipped to browsers count, tools do not', () => {
    const where = Object.fromEntries(packages.map(({ name, where: place }) => [name, place]));
    expect(where).toMatchObject({ fastify: 'server', 'react-router': 'browser', '@radix-ui/react-dialog': 'browser' });
    for (const tool of ['vitest', 'vite', 'happy-dom']) expect(where).not.toHaveProperty(tool);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0', false],
    ['(MIT AND (ISC OR GPL-2.0-only))', true],
    ['GPL-3.0-or-later', false],
    ['AGPL-3.0 OR SSPL-1.0', false],
    ['SEE LICENSE IN LICENSE', false],
    ['UNLICENSED', false],
    ['(MIT', false],
    ['', false],
  ])('%s: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed);
  });

  test('a disallowed or unlisted license is reported by package; exceptions apply to their license only', () => {
    const of = (name: string, licence: string | null) => ({ name, version: '1.0.0', licence });
    const exceptions = {
      b: { licence: 'MPL-2.0', reason: 'As it is' },
      gone: { licence: 'MPL-2.0', reason: 'As it was' },
    };
    expect(licenceFaults([of('a', 'GPL-3.0'), of('b', 'MPL-2.0'), of('c', null), of('d', 'MIT')], exceptions)).toEqual([
      expect.stringMatching(/^a 1\.0\.0 is under GPL-3\.0: choose another package/),
      expect.stringMatching(/^c 1\.0\.0 is under no licence that it names/),
      'scripts/licences/judge.ts excepts gone, which needs no exception.',
    ]);
    expect(licenceFaults([of('b', 'GPL-3.0')], { b: exceptions.b })[0]).toMatch(/^b 1\.0\.0 is under GPL-3\.0/);
  });

  test.skipIf(!existsSync(join(ROOT, 'dist/client')))('browsers can read the notices of every bundled package', () => {
    const text = readFileSync(join(ROOT, 'dist/client/third-party-notices.txt'), 'utf8');
    for (const name of ['react-dom', 'react-router', 'lightweight-charts', '@fontsource-variable/geist']) {
      const { version, folder } = packages.find((each) => each.name === name) ?? { version: '', folder: '' };
      expect(text).toContain(`${name} ${version}`);
      expect(text).toContain(licenceTexts(folder));
    }
  });
});

const finding = (severity: string, node: string) => ({
  auditReportVersion: 2 as const,
  vulnerabilities: {
    ws: {
      name: 'ws',
      nodes: [node],
      via: ['other', { title: 'Reads too far', url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc', severity }],
    },
  },
});
const SHIPPED = new Set(['node_modules/ws']);
const DAY = new Date('2026-11-20T12:00:00Z');
const accepted = (until: string) => [{ advisory: 'GHSA-aaaa-bbbb-cccc', reason: 'Not called', until }];

describe('the audit', () => {
  test.each([
    ['critical', 'node_modules/ws', [], 1],
    ['high', 'node_modules/ws', [], 1],
    ['moderate', 'node_modules/ws', [], 0],
    ['critical', 'node_modules/vite/node_modules/ws', [], 0],
    ['critical', 'node_modules/ws', accepted('2026-11-20'), 0],
    ['critical', 'node_modules/ws', accepted('2026-11-19'), 1],
  ])('%s in %s with %j: %i to act on', (severity, node, exceptions, count) => {
    const { fatal, warnings } = assessAudit(finding(severity, node), SHIPPED, exceptions, DAY);
    expect(fatal).toHaveLength(count);
    expect([...fatal, ...warnings].join()).toContain(`ws: ${severity}, Reads too far (GHSA-aaaa-bbbb-cccc)`);
  });

  test('an unneeded exception must be removed', () => {
    const none = { auditReportVersion: 2 as const, vulnerabilities: {} };
    expect(assessAudit(none, SHIPPED, accepted('2027-01-01'), DAY).fatal).toEqual([
      'scripts/audit/judge.ts accepts GHSA-aaaa-bbbb-cccc, which nothing has any more',
    ]);
  });

  /** Runs all of `npm run audit` against our own advisory service. */
  async function runAudit(status: number, advisories: object): Promise<{ code: number; text: string }> {
    const server = createServer((request, response) => {
      request.resume();
      const isBulkRequest = request.url?.endsWith('/security/advisories/bulk');
      response.writeHead(isBulkRequest ? status : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isBulkRequest ? advisories : {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const env = { ...process.env, npm_config_registry: registry };
    try {
      return await new Promise((resolve) => {
        execFile(process.execPath, ['scripts/audit.ts'], { cwd: ROOT, env }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
        );
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('npm run audit fails for a severe advisory on a product package, and names it', {
    timeout: 60_000,
  }, async () => {
    const about = { id: 1, title: 'Reads too far', severity: 'high', vulnerable_versions: '<99', cwe: [], cvss: {} };
    const advisories = { fastify: [{ ...about, url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc' }] };
    const { code, text } = await runAudit(200, advisories);
    expect(text).toContain('FAIL   fastify: high, Reads too far (GHSA-aaaa-bbbb-cccc)');
    expect(code).toBe(1);
  });

  test('npm run audit passes when there is none, and warns loudly when the registry does not answer', {
    timeout: 60_000,
  }, async () => {
    const clean = await runAudit(200, {});
    expect([clean.code, clean.text]).toEqual([0, expect.stringMatching(/packages in the product: 0 require action/)]);
    const unreachable = await runAudit(405, {});
    expect([unreachable.code, unreachable.text]).toEqual([
      0,
      expect.stringMatching(/^NOT AUDITED: the advisory service/m),
    ]);
  });
});

/** Patterns of service secrets and keys. */
const SECRETS: [what: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*\n[A-Za-z0-9+/=]{32}/],
  ['a key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{8,}/],
  ['a signing secret of Stripe', /\bwhsec_[A-Za-z0-9+/]{24,}/],
  ['a token of Telegram', /\b\d{8,10}:[A-Za-z0-9_-]{35}\b/],
  ['a key of Amazon', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a token of Slack', /\bxox[abpr]-[A-Za-z0-9-]{10,}/],
  ['a webhook of Slack', /hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a key of OpenAI, Groq or Hugging Face', /\b(?:sk-[A-Za-z0-9]{40,}|gsk_[A-Za-z0-9]{40,}|hf_[A-Za-z0-9]{30,})\b/],
  ['a signed token', /\beyJ[A-Za-z0-9_-]{20,}\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/],
  [
    'a password in an address',
    /\bpostgres(?:ql)?:\/\/[^\s:@/'"`$<{]+:[^\s@'"`$<{]{8,}@(?!127\.0\.0\.1|localhost)[\w.-]+\.\w+/,
  ],
];
const findSecrets = (text: string) => SECRETS.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
const BINARY = /\.(png|jpg|gif|webp|ico|woff2|gz|br|wasm|so)$/;

describe('the repository', () => {
  test('contains no secrets', async () => {
    const files = (await filesOfRepository()).filter((file) => !BINARY.test(file) && existsSync(join(ROOT, file)));
    expect(files.length).toBeGreaterThan(1000);
    const leaks = files.flatMap((file) =>
      findSecrets(readFileSync(join(ROOT, file), 'utf8')).map((what) => `${file}: ${what}`),
    );
    expect(leaks).toEqual([]);
  });

  // Split into pieces, because this file is scanned as well.
  test.each([
    ['a private key', ['-----BEGIN EC PRIV', 'ATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtL']],
    ['a key of Stripe', ['STRIPE_SECRET_KEY=sk_li', 've_51H8xYzAbCd']],
    ['a token of Telegram', ['12345', '67890:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1']],
    ['a token of GitHub', ['gh', `p_${'a'.repeat(36)}`]],
    ['a password in an address', ['postgres://meridian:', 'hunter22@db.meridian.io/app']],
  ])('detects %s', (what, pieces) => {
    expect(findSecrets(pieces.join(''))).toEqual([what]);
  });

  test('lets no package run an install script', async () => {
    expect(readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
    expect(readFileSync(join(ROOT, 'scripts/bootstrap/npm.mjs'), 'utf8')).toContain("'--ignore-scripts',");
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare|publish)/.test(name))).toEqual([]);
  });
});

test('npm run sbom lists product packages as required and tools as excluded, without a network', {
  timeout: 60_000,
}, async () => {
  const { spawnSync } = await import('node:child_process');
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/sbom.ts'], { cwd: ROOT, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const bom = JSON.parse(readFileSync(join(ROOT, 'artifacts/sbom.cdx.json'), 'utf8')) as {
    bomFormat: string;
    components: { name: string; scope: string; purl: string }[];
  };
  expect(bom.bomFormat).toBe('CycloneDX');
  const scopes = Object.fromEntries(bom.components.map(({ name, scope }) => [name, scope]));
  expect(scopes).toMatchObject({ fastify: 'required', 'react-router': 'required', vitest: 'excluded' });
  expect(bom.components.every(({ purl }) => purl.startsWith('pkg:npm/'))).toBe(true);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { rowsOfRegister, titlesIn } from './register.ts';
import { ROOT } from './support.ts';

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const rows = rowsOfRegister(text);
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');

test('every threat of docs/security.md names tests, and each of them exists', () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ requirement }) => requirement)).toEqual([]);
  const lost = rows.flatMap(({ line, tests }) =>
    tests
      .filter(({ path, title }) => title === '' || !titlesIn(read(path)).some((each) => each.includes(title)))
      .map(({ path, title }) => `line ${line}: ${path} › ${title}`),
  );
  expect(lost).toEqual([]);
});

test('every file, folder, command and setting that docs/security.md names exists', () => {
  const paths = [...text.matchAll(/`((?:src|tests|scripts|docs)\/[\w./-]+|(?:features|platform)\/[\w./-]+)`/g)];
  const places = paths.map(([, path = '']) =>
    path.startsWith('features/') ? `src/${path}` : path.replace(/^platform\//, 'src/server/platform/'),
  );
  expect(places.length).toBeGreaterThan(3);
  expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...text.matchAll(/`[^`]*\bnpm (?:run )?([a-z:]+)`/g)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(3);
  expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
  const settings = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+)/g)].map(([, name = '']) => name);
  const known = read('docs/configuration.md');
  expect(settings.filter((name) => !known.includes(`| \`${name}\` |`))).toEqual([]);
  const anchors = [...text.matchAll(/\]\((\w+\.md)#([\w-]+)\)/g)].map(([, file = '', anchor = '']) => [file, anchor]);
  for (const [file, anchor] of anchors)
    expect(read(`docs/${file}`).toLowerCase().replaceAll(' ', '-')).toContain(`## ${anchor}`.replaceAll(' ', '-'));
});

test('every setting that holds a secret has its way of being changed', () => {
  const secrets = [
    'SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
    'TELEGRAM_BOT_TOKEN',
    'ADMIN_PASSWORD',
    'DATABASE_URL',
    'METRICS_TOKEN',
  ];
  const [, table = ''] = text.split('## Changing keys and secrets');
  expect(secrets.filter((name) => !table.includes(name))).toEqual([]);
});

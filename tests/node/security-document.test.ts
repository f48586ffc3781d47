import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { requirementErrors } from '../support/register.ts';
import { ROOT } from './support.ts';

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');

/** Rows of the tables whose last column is headed `test`. */
const rows = text
  .split(/\n(?=\|.*\| test \|\n)/)
  .slice(1)
  .flatMap((part) => (/^(?:\|.*\n)+/.exec(part)?.[0] ?? '').trim().split('\n').slice(2))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('every threat in docs/security.md names tests, and all of them exist', () => {
  expect(rows.length).toBeGreaterThan(40);
  const faults = rows.flatMap((cells) => {
    const tests = (cells.at(-2) ?? '').split(';').map((name) => name.replaceAll('`', '').trim());
    return requirementErrors({
      section: 'security',
      requirement: cells[1] ?? '',
      place: 'security',
      tests: tests.filter(Boolean),
    });
  });
  expect(faults).toEqual([]);
});

test('every file, folder, command and setting in docs/security.md exists', () => {
  const paths = [...text.matchAll(/`((?:src|tests|scripts|docs)\/[\w./-]+|(?:features|kernel|app)\/[\w./-]+)`/g)];
  const places = paths.map(([, path = '']) => (/^(features|kernel|app)\//.test(path) ? `src/${path}` : path));
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

test('every secret setting has a documented rotation', () => {
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

// Makes the secrets of compose.yaml in ./secrets, each of them once: what is there already is left alone.
// The files may be read by all, as containers do so under another account; the folder is entered by its owner alone.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.argv[2] ?? join(dirname(dirname(fileURLToPath(import.meta.url))), 'secrets');

function keep(name, make) {
  const file = join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(file, `${make()}\n`, { mode: 0o644, flag: 'wx' });
    console.log(`${file} created`);
  }
  return readFileSync(file, 'utf8').trim();
}

mkdirSync(folder, { recursive: true });
chmodSync(folder, 0o700);
const password = keep('POSTGRES_PASSWORD', () => randomBytes(24).toString('base64url'));
keep('DATABASE_URL', () => `postgres://meridian:${password}@postgres:5432/meridian`);
keep('SECRET_KEY', () => randomBytes(32).toString('base64url'));

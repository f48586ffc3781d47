import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { messageOf } from './errors.ts';
import type { Log } from './log.ts';
import { AppStartError } from './postgres/start-error.ts';

const KEY_BYTES = 32;
const KEY = /^[\w-]{43}$/;
const NAME = 'secret.key';
const NEXT = `${NAME}.next`;
const EARLIER = `${NAME}.previous-`;

/** The keys of this installation, the present one first, made at its first start; then the one that is to follow it, and those it followed. */
export function readKeyTexts(folder: string, log: Log): string[] {
  const file = join(folder, NAME);
  try {
    if (!existsSync(file)) makeKeyFile(file, log);
    return findKeyTexts(folder);
  } catch (error) {
    if (error instanceof AppStartError) throw error;
    throw new AppStartError(`Cannot store the secret key in ${file}: ${messageOf(error)}. Set SECRET_KEY instead.`);
  }
}

/** The same without making one. */
export function findKeyTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  const further = names.filter((name) => name === NEXT || name.startsWith(EARLIER)).toSorted();
  return [...names.filter((name) => name === NAME), ...further].map((name) => readKey(join(folder, name)));
}

function readKey(file: string): string {
  const key = readFileSync(file, 'utf8').trim();
  if (!KEY.test(key)) throw new AppStartError(`${file} does not contain a secret key. Restore the file from a backup.`);
  return key;
}

/** Written whole or not at all, and never over another one: a start beside this one may have written it first. */
function makeKeyFile(file: string, log: Log): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(written, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(written, file);
    log.info(`Created a secret key in ${file}. Keep a copy in a safe place, apart from your backups.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(written);
  }
}

/** The key in the next-key file; undefined when there is none. */
export function findNextKey(folder: string): string | undefined {
  const file = join(folder, NEXT);
  return existsSync(file) ? readKey(file) : undefined;
}

export function makeNextKey(folder: string, log: Log): string {
  const file = join(folder, NEXT);
  makeKeyFile(file, log);
  return readKey(file);
}

/** The next key takes the place of the present one, which stays beside it under the name returned. At every moment both can be read. */
export function takeNextKey(folder: string, fingerprint: string): string {
  const [present, earlier] = [join(folder, NAME), join(folder, `${EARLIER}${fingerprint.slice(0, 8)}`)];
  if (!existsSync(earlier)) linkSync(present, earlier);
  renameSync(join(folder, NEXT), present);
  return earlier;
}

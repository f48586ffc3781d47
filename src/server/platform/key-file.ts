import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { messageOf } from './errors.ts';
import type { Log } from './log.ts';
import { AppStartError } from './postgres/start-error.ts';

const KEY_BYTES = 32;
const KEY = /^[\w-]{43}$/;

/** The key of this installation, made at its first start. */
export function readKeyFile(file: string, log: Log): string {
  let key: string;
  try {
    if (!existsSync(file)) makeKeyFile(file, log);
    key = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new AppStartError(`The secret key cannot be kept in ${file}: ${messageOf(error)}. Set SECRET_KEY instead.`);
  }
  if (!KEY.test(key)) throw new AppStartError(`${file} holds no secret key: bring the file back from a backup.`);
  return key;
}

/** Written whole or not at all, and never over another one: a start beside this one may have written it first. */
function makeKeyFile(file: string, log: Log): void {
  mkdirSync(dirname(file), { recursive: true });
  const written = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(written, `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(written, file);
    log.info(`A secret key was made in ${file}: keep a copy with your backups.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(written);
  }
}

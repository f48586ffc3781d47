import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Config } from './config.ts';
import { messageOf } from './errors.ts';
import type { Log } from './log.ts';
import { AppStartError } from './postgres/process.ts';
import { type Key, keyNamedBy, keyOf, macWith, openWith, sealWith, UnreadableSecret } from './sealing.ts';

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
function findKeyTexts(folder: string): string[] {
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

export { UnreadableSecret } from './sealing.ts';

/** What the database says of its keys. */
export type KeysOfInstallation = {
  key_fingerprint: string | null;
  next_key_fingerprint: string | null;
  lasting_key: string | null;
};

export type Secrets = {
  /** Text that only this key opens again. */
  seal: (text: string) => string;
  /** Throws UnreadableSecret for what a key has sealed that is not held here, or what was changed since. */
  open: (sealed: string) => string;
  /** A keyed hash; texts of different purposes never meet. */
  mac: (purpose: string, text: string) => Buffer;
  /** The hash by each key that still counts, that of now first: for what may have been signed before the key was changed. */
  macs: (purpose: string, text: string) => Buffer[];
  /** A keyed hash that no change of the key changes: for what is found again by it years later. */
  lastingMac: (purpose: string, text: string) => Buffer;
  /** Fingerprints of the keys held, that of the configured key first. */
  held: () => string[];
  /** Whether the key of this fingerprint is held, or can be read by now. */
  holds: (fingerprint: string) => boolean;
  /** Seals and signs from now on as the database says. False when the key it names is not held here. */
  turnTo: (said: KeysOfInstallation) => boolean;
  /** True once the database has named a key that is not held here: others seal what this process cannot open. */
  isLeftBehind: () => boolean;
  /** What `lasting_key` has to hold once the key of this fingerprint seals. */
  sealLastingKey: (fingerprint: string) => string;
};

function withSettings({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }: Config, files: () => string[]): string[] {
  // A key may hold a comma itself.
  const texts = [...(key === undefined ? files() : [key]), ...(previous ? [previous, ...previous.split(',')] : [])];
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}

const readKeys = (config: Config, log: Log): Key[] =>
  withSettings(config, () => readKeyTexts(config.dataDir, log)).map(keyOf);

/** The secret keys that a start would hold, that of now first, without making one. */
export const findSecretKeys = (config: Config): string[] => withSettings(config, () => findKeyTexts(config.dataDir));

/** What the database must not hold in plain text: sealed by SECRET_KEY, or by the key file of this installation. */
export function openSecrets({ config, log }: { config: Config; log: Log }): Secrets {
  let keys = readKeys(config, log);
  let [current] = keys as [Key];
  let lasting = current.hashing;
  let isLeftBehind = false;

  /** Another process may have made a new key file since. */
  function findKey(fingerprint: string): Key | undefined {
    const isIt = (key: Key) => key.fingerprint === fingerprint;
    const known = keys.find(isIt);
    if (known || config.SECRET_KEY !== undefined) return known;
    keys = readKeys(config, log);
    return keys.find(isIt);
  }

  function open(sealed: string): string {
    const named = keyNamedBy(sealed);
    const tried = named === null ? keys : [findKey(named)];
    for (const key of tried) {
      const text = key && openWith(key, sealed);
      if (text !== undefined) return text;
    }
    throw new UnreadableSecret('Cannot decrypt a value: it was encrypted with another key or modified');
  }

  return {
    seal: (text) => sealWith(current, text),
    open,
    mac: (purpose, text) => macWith(current.hashing, purpose, text),
    macs: (purpose, text) =>
      [current, ...keys.filter((key) => key.fingerprint !== current.fingerprint)].map(({ hashing }) =>
        macWith(hashing, purpose, text),
      ),
    lastingMac: (purpose, text) => macWith(lasting, purpose, text),
    held: () => keys.map(({ fingerprint }) => fingerprint),
    holds: (fingerprint) => findKey(fingerprint) !== undefined,
    turnTo({ key_fingerprint, next_key_fingerprint, lasting_key }) {
      const before = findKey(key_fingerprint ?? '');
      const now = next_key_fingerprint === null ? before : findKey(next_key_fingerprint);
      isLeftBehind = !now;
      if (!now) return false;
      current = now;
      if (lasting_key !== null) lasting = Buffer.from(open(lasting_key), 'base64url');
      else if (before) lasting = before.hashing;
      return true;
    },
    isLeftBehind: () => isLeftBehind,
    sealLastingKey(fingerprint) {
      const key = findKey(fingerprint);
      if (!key) throw new UnreadableSecret(`The secret key ${fingerprint} is not configured`);
      return sealWith(key, lasting.toString('base64url'));
    },
  };
}

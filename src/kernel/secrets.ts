import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Config } from './config.ts';
import { errorMessage } from './errors.ts';
import type { Log } from './log.ts';
import { AppStartError } from './postgres/process.ts';
import { deriveKey, findKeyOf, type Key, macWith, openWith, sealWith, UnreadableSecretError } from './sealing.ts';

const KEY_BYTES = 32;
const KEY = /^[\w-]{43}$/;
const NAME = 'secret.key';
const NEXT = `${NAME}.next`;
const EARLIER = `${NAME}.previous-`;

/**
 * The keys of this installation, created at its first start: the current one, then its successor if any, then its
 * predecessors.
 */
export function readKeyTexts(folder: string, log: Log): string[] {
  const file = join(folder, NAME);
  try {
    if (!existsSync(file)) makeKeyFile(file, log);
    return findKeyTexts(folder);
  } catch (error) {
    if (error instanceof AppStartError) throw error;
    throw new AppStartError(`Cannot store the secret key in ${file}: ${errorMessage(error)}. Set SECRET_KEY instead.`);
  }
}

/** Like `readKeyTexts`, without creating a key. */
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

/** Written atomically and never over an existing file: a concurrent start may have written it first. */
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

/**
 * Replaces the current key with the next one and keeps the old file under the name returned. Both are readable at every
 * moment.
 */
export function takeNextKey(folder: string, fingerprint: string): string {
  const [present, earlier] = [join(folder, NAME), join(folder, `${EARLIER}${fingerprint.slice(0, 8)}`)];
  if (!existsSync(earlier)) linkSync(present, earlier);
  renameSync(join(folder, NEXT), present);
  return earlier;
}

export { UnreadableSecretError } from './sealing.ts';

/** The key state stored in the database. */
export type InstallationKeys = {
  key_fingerprint: string | null;
  next_key_fingerprint: string | null;
  lasting_key: string | null;
};

export type Secrets = {
  /** Encrypts a text that only this key can open. */
  seal: (text: string) => string;
  /** Throws UnreadableSecretError for text sealed with a key not held here, or tampered with. */
  open: (sealed: string) => string;
  /** A keyed hash; different purposes never collide. */
  mac: (purpose: string, text: string) => Buffer;
  /** The hash by each valid key, the current one first: for signatures made before a key rotation. */
  macs: (purpose: string, text: string) => Buffer[];
  /** A keyed hash that does not change with key rotation: for lookups years later. */
  lastingMac: (purpose: string, text: string) => Buffer;
  /** Fingerprints of the keys held, the configured key first. */
  held: () => string[];
  /** Whether the key of this fingerprint is held or can now be read. */
  holds: (fingerprint: string) => boolean;
  /** Switches sealing and signing to the key named by the database. False when that key is not held here. */
  useKeysOf: (said: InstallationKeys) => boolean;
  /** True once the database has named a key that is not held here: others seal what this process cannot open. */
  isOutdated: () => boolean;
  /** The value of `lasting_key` when the key of this fingerprint seals. */
  sealLastingKey: (fingerprint: string) => string;
};

function withSettings({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }: Config, files: () => string[]): string[] {
  // A key may itself contain a comma.
  const texts = [...(key === undefined ? files() : [key]), ...(previous ? [previous, ...previous.split(',')] : [])];
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}

const readKeys = (config: Config, log: Log): Key[] =>
  withSettings(config, () => readKeyTexts(config.dataDir, log)).map(deriveKey);

/** The secret keys a start would hold, the current one first, without creating one. */
export const findSecretKeys = (config: Config): string[] => withSettings(config, () => findKeyTexts(config.dataDir));

/** Seals what the database must not hold in plain text, with SECRET_KEY or the key file of this installation. */
export function openSecrets({ config, log }: { config: Config; log: Log }): Secrets {
  let keys = readKeys(config, log);
  let [current] = keys as [Key];
  let lasting = current.hashing;
  let isLeftBehind = false;

  /** Another process may have created a new key file. */
  function findKey(fingerprint: string): Key | undefined {
    const isSameKey = (key: Key) => key.fingerprint === fingerprint;
    const known = keys.find(isSameKey);
    if (known || config.SECRET_KEY !== undefined) return known;
    keys = readKeys(config, log);
    return keys.find(isSameKey);
  }

  function open(sealed: string): string {
    const named = findKeyOf(sealed);
    const tried = named === null ? keys : [findKey(named)];
    for (const key of tried) {
      const text = key && openWith(key, sealed);
      if (text !== undefined) return text;
    }
    throw new UnreadableSecretError('Cannot decrypt a value: it was encrypted with another key or modified');
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
    useKeysOf({ key_fingerprint, next_key_fingerprint, lasting_key }) {
      const before = findKey(key_fingerprint ?? '');
      const now = next_key_fingerprint === null ? before : findKey(next_key_fingerprint);
      isLeftBehind = !now;
      if (!now) return false;
      current = now;
      if (lasting_key !== null) lasting = Buffer.from(open(lasting_key), 'base64url');
      else if (before) lasting = before.hashing;
      return true;
    },
    isOutdated: () => isLeftBehind,
    sealLastingKey(fingerprint) {
      const key = findKey(fingerprint);
      if (!key) throw new UnreadableSecretError(`The secret key ${fingerprint} is not configured`);
      return sealWith(key, lasting.toString('base64url'));
    },
  };
}

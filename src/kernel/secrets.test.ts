import { spawn } from 'node:child_process';
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createTestDatabase } from '#tests/support/test-database.ts';

import { loadConfig } from './config.ts';
import { openDatabase } from './db.ts';
import { claimInstallation } from './installation.ts';
import { openSecrets, type Secrets, UnreadableSecretError } from './secrets.ts';

const log = pino({ level: 'silent' });
const withKey = (SECRET_KEY: string) => openSecrets({ config: loadConfig({ SECRET_KEY }), log });
const secrets = withKey('the secret key of this installation');
const withKeys = (SECRET_KEY: string, SECRET_KEY_PREVIOUS: string) =>
  openSecrets({ config: loadConfig({ SECRET_KEY, SECRET_KEY_PREVIOUS }), log });
const other = withKey('the secret key of another installation');
const text = fc.string({ unit: 'binary', maxLength: 300 });

/** `v2.<fingerprint>.` and the bytes after it. */
const partsOf = (sealed: string): [string, Buffer<ArrayBuffer>] => [
  sealed.slice(0, 20),
  Buffer.from(sealed.slice(20), 'base64url'),
];

/** The format from before sealed texts named their key. */
function sealedByFirstVersion(key: string, plain: string): string {
  const sealing = Buffer.from(hkdfSync('sha256', key, 'meridian/secrets', 'seal', 32));
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from('v1.'));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${body.toString('base64url')}`;
}

describe('sealing', () => {
  test('any text survives a round trip, and is sealed differently each time', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const [first, second] = [secrets.seal(plain), secrets.seal(plain)];
        expect(secrets.open(first)).toBe(plain);
        expect(first).not.toBe(second);
        expect(first).toMatch(/^v2\.[0-9a-f]{16}\.[\w-]+$/);
      }),
    );
  });

  test('the same key opens it after a restart, another one does not and reports it', () => {
    const sealed = secrets.seal('https://m.example/reset?token=abc');
    expect(withKey('the secret key of this installation').open(sealed)).toBe('https://m.example/reset?token=abc');
    expect(() => other.open(sealed)).toThrow(UnreadableSecretError);
    expect(() => other.open(sealed)).toThrow(/it was encrypted with another key or modified/);
  });

  test('texts from before key ids are opened by the key that sealed them', () => {
    fc.assert(
      fc.property(text, (plain) => {
        expect(secrets.open(sealedByFirstVersion('the secret key of this installation', plain))).toBe(plain);
      }),
    );
    expect(() => other.open(sealedByFirstVersion('the secret key of this installation', 'a'))).toThrow(
      UnreadableSecretError,
    );
  });

  test('a text that names another key, or poses as one without a key id, is rejected', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const [prefix, body] = partsOf(secrets.seal(plain));
        for (const forged of ['v1.', prefix.replace(/[0-9a-f]{16}/, '0123456789abcdef')])
          expect(() => secrets.open(forged + body.toString('base64url'))).toThrow(UnreadableSecretError);
      }),
    );
  });

  test('texts sealed by an earlier key open while SECRET_KEY_PREVIOUS names it, alone or among others', () => {
    const earlier = 'an earlier key, with commas, in it';
    const sealed = withKey(earlier).seal('a');
    expect(withKeys('a key of now, that is long enough', earlier).open(sealed)).toBe('a');
    const others = 'the secret key of this installation,the secret key of another installation';
    expect(withKeys('a key of now, that is long enough', others).open(other.seal('b'))).toBe('b');
    expect(() => withKeys('a key of now, that is long enough', others).open(sealed)).toThrow(UnreadableSecretError);
  });

  test('detects a change of any byte', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, place, change) => {
        const [prefix, sealed] = partsOf(secrets.seal(plain));
        const at = place % sealed.length;
        sealed[at] = (sealed[at] ?? 0) ^ change;
        expect(() => secrets.open(prefix + sealed.toString('base64url'))).toThrow(UnreadableSecretError);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['plain text', 'a plain text'],
    ['another version', secrets.seal('a').replace('v2.', 'v3.')],
    ['a text cut short', secrets.seal('a').slice(0, 20)],
    ['a text cut at its end', secrets.seal('a long text').slice(0, -4)],
  ])('rejects %s', (_what, sealed) => {
    expect(() => secrets.open(sealed)).toThrow(UnreadableSecretError);
  });
});

describe('keyed hashes', () => {
  test('are equal for the same text, and differ with purpose, text and key', () => {
    fc.assert(
      fc.property(text, text, text, text, (purpose, words, purpose2, words2) => {
        const hash = secrets.mac(purpose, words);
        expect(hash).toHaveLength(32);
        expect(secrets.mac(purpose, words).equals(hash)).toBe(true);
        expect(secrets.mac(purpose2, words2).equals(hash)).toBe(purpose === purpose2 && words === words2);
        expect(other.mac(purpose, words).equals(hash)).toBe(false);
      }),
    );
  });

  test('the boundary between purpose and text cannot be moved', () => {
    expect(secrets.mac('a', 'bc').equals(secrets.mac('ab', 'c'))).toBe(false);
    expect(secrets.mac('a","b', 'c').equals(secrets.mac('a', 'b","c'))).toBe(false);
  });
});

test('the fingerprint identifies keys and is not part of the sealing key', () => {
  expect(secrets.held()).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect(other.held()).not.toEqual(secrets.held());
});

describe('without SECRET_KEY', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name = 'data') => openSecrets({ config: loadConfig({ DATA_DIR: join(folder, name) }), log });

  test('the first start creates a key file readable only by its owner; later starts use it', () => {
    const first = inFolder();
    const file = join(folder, 'data/secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
    expect(inFolder().open(first.seal('a'))).toBe('a');
    expect(inFolder('elsewhere').held()).not.toEqual(first.held());
  });

  test('concurrent starts agree on one key', async () => {
    const count = 25;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['src/kernel/fixtures/key-maker.ts', folder, String(count)]),
    );
    const outputs = children.map((child) => {
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (part) => (output += part));
      return { text: () => output, ready: once(child.stdout, 'data'), closed: once(child, 'close') };
    });
    for (const { ready } of outputs) await ready;
    for (const child of children) child.stdin.write('go\n');
    for (const { closed } of outputs) await closed;
    const keys = outputs.map((output) => JSON.parse(output.text().split('\n')[1] ?? '') as string[]);
    expect(new Set(keys[0]).size).toBe(count);
    for (const each of keys) expect(each).toEqual(keys[0]);
    expect(readdirSync(join(folder, '0'))).toEqual(['secret.key']);
  });

  test('a damaged key file is reported, never replaced', () => {
    inFolder();
    const file = join(folder, 'data/secret.key');
    writeFileSync(file, 'half a k');
    expect(() => inFolder()).toThrow(`${file} does not contain a secret key. Restore the file from a backup.`);
    expect(readFileSync(file, 'utf8')).toBe('half a k');
  });

  test('an unusable folder is reported in one sentence', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(() => inFolder()).toThrow(/^Cannot store the secret key in .*secret\.key: .*Set SECRET_KEY instead\.$/);
  });
});

describe('a database and its key', () => {
  test('it rejects a start with another key, accepts the first one, and a new one when instructed to forget it', async () => {
    const { connection, drop } = await createTestDatabase();
    const { db, close } = openDatabase(connection, () => undefined);
    const now = new Date('2026-11-20T12:00:00Z');
    const claim = (keys: Secrets) => claimInstallation(db, { mode: 'live', seed: 7, secrets: keys }, now);
    const [[ours = ''], [theirs = '']] = [secrets.held(), other.held()];
    const claims = await Promise.allSettled([claim(secrets), claim(secrets), claim(secrets)]);
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await expect(claim(other)).rejects.toThrow(
      `This database was created with another secret key (${ours}, not ${theirs}). Start with the original SECRET_KEY or DATA_DIR/secret.key.`,
    );
    await db.updateTable('installation').set({ key_fingerprint: null }).execute();
    await claim(other);
    await expect(claim(secrets)).rejects.toThrow(/created with another secret key/);
    await close();
    await drop();
  });

  test('two first starts with different keys: one is rejected', async () => {
    const { connection, drop } = await createTestDatabase();
    const { db, close } = openDatabase(connection, () => undefined);
    const claim = (keys: Secrets) => claimInstallation(db, { mode: 'live', seed: 7, secrets: keys }, new Date());
    const claims = await Promise.allSettled([claim(secrets), claim(other)]);
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await close();
    await drop();
  });
});

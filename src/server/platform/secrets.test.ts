import { spawn } from 'node:child_process';
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
import { openSecrets, UnreadableSecret } from './secrets.ts';

const log = pino({ level: 'silent' });
const withKey = (SECRET_KEY: string) => openSecrets({ config: loadConfig({ SECRET_KEY }), log });
const secrets = withKey('the secret key of this installation');
const other = withKey('the secret key of another installation');
const text = fc.string({ unit: 'binary', maxLength: 300 });

describe('sealing', () => {
  test('any text comes back as it was, and is sealed differently each time', () => {
    fc.assert(
      fc.property(text, (plain) => {
        const [first, second] = [secrets.seal(plain), secrets.seal(plain)];
        expect(secrets.open(first)).toBe(plain);
        expect(first).not.toBe(second);
        expect(first).toMatch(/^v1\.[\w-]+$/);
      }),
    );
  });

  test('the same key opens it after a restart, another one does not and says so', () => {
    const sealed = secrets.seal('https://m.example/reset?token=abc');
    expect(withKey('the secret key of this installation').open(sealed)).toBe('https://m.example/reset?token=abc');
    expect(() => other.open(sealed)).toThrow(UnreadableSecret);
    expect(() => other.open(sealed)).toThrow(/another key has sealed it, or it was changed/);
  });

  test('a change of any byte is found', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, place, change) => {
        const sealed = Buffer.from(secrets.seal(plain).slice(3), 'base64url');
        const at = place % sealed.length;
        sealed[at] = (sealed[at] ?? 0) ^ change;
        expect(() => secrets.open(`v1.${sealed.toString('base64url')}`)).toThrow(UnreadableSecret);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['plain text', 'a plain text'],
    ['another version', secrets.seal('a').replace('v1.', 'v2.')],
    ['a text cut short', secrets.seal('a').slice(0, 20)],
    ['a text cut at its end', secrets.seal('a long text').slice(0, -4)],
  ])('%s is refused', (_what, sealed) => {
    expect(() => secrets.open(sealed)).toThrow(UnreadableSecret);
  });
});

describe('keyed hashes', () => {
  test('are the same for the same words, and differ with purpose, text and key', () => {
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

  test('no border between purpose and text can be moved', () => {
    expect(secrets.mac('a', 'bc').equals(secrets.mac('ab', 'c'))).toBe(false);
    expect(secrets.mac('a","b', 'c').equals(secrets.mac('a', 'b","c'))).toBe(false);
  });
});

test('the fingerprint tells keys apart and is no part of what seals', () => {
  expect(secrets.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  expect(other.fingerprint).not.toBe(secrets.fingerprint);
});

describe('without SECRET_KEY', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name = 'data') => openSecrets({ config: loadConfig({ DATA_DIR: join(folder, name) }), log });

  test('the first start makes a key file that its owner alone reads; later starts use it', () => {
    const first = inFolder();
    const file = join(folder, 'data/secret.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['secret.key']);
    expect(inFolder().open(first.seal('a'))).toBe('a');
    expect(inFolder('elsewhere').fingerprint).not.toBe(first.fingerprint);
  });

  test('starts at the same moment agree on one key', async () => {
    const count = 25;
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['src/server/platform/fixtures/key-maker.ts', folder, String(count)]),
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

  test('a damaged key file is told of, never replaced', () => {
    inFolder();
    const file = join(folder, 'data/secret.key');
    writeFileSync(file, 'half a k');
    expect(() => inFolder()).toThrow(`${file} holds no secret key: bring the file back from a backup.`);
    expect(readFileSync(file, 'utf8')).toBe('half a k');
  });

  test('a folder that cannot be one is told of in one sentence', () => {
    writeFileSync(join(folder, 'data'), 'a file');
    expect(() => inFolder()).toThrow(/^The secret key cannot be kept in .*secret\.key: .*Set SECRET_KEY instead\.$/);
  });
});

describe('a database and its key', () => {
  test('it refuses a start with another key, takes the first one, and a new one when told to forget it', async () => {
    const { connection, drop } = await createTestDatabase();
    const { db, close } = openDatabase(connection, () => undefined);
    const now = new Date('2026-11-20T12:00:00Z');
    const claim = (key: string) => claimInstallation(db, { mode: 'live', seed: 7, key }, now);
    const [ours, theirs] = [secrets.fingerprint, other.fingerprint];
    const claims = await Promise.allSettled([claim(ours), claim(ours), claim(ours)]);
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await expect(claim(theirs)).rejects.toThrow(
      `This database was made with another secret key (${ours}, not ${theirs}): start with the SECRET_KEY or the DATA_DIR/secret.key it was made with.`,
    );
    await db.updateTable('installation').set({ key_fingerprint: null }).execute();
    await claim(theirs);
    await expect(claim(ours)).rejects.toThrow(/made with another secret key/);
    await close();
    await drop();
  });

  test('two first starts with different keys: one is refused', async () => {
    const { connection, drop } = await createTestDatabase();
    const { db, close } = openDatabase(connection, () => undefined);
    const claim = (key: string) => claimInstallation(db, { mode: 'live', seed: 7, key }, new Date());
    const claims = await Promise.allSettled([claim(secrets.fingerprint), claim(other.fingerprint)]);
    expect(claims.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await close();
    await drop();
  });
});

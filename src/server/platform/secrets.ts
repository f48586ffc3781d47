import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { Config } from './config.ts';
import { readKeyFile } from './key-file.ts';
import type { Log } from './log.ts';

export type Secrets = {
  /** Text that only this key opens again. */
  seal: (text: string) => string;
  /** Throws UnreadableSecret for what another key has sealed, or what was changed since. */
  open: (sealed: string) => string;
  /** A keyed hash; texts of different purposes never meet. */
  mac: (purpose: string, text: string) => Buffer;
  /** Tells keys apart without giving them away. */
  fingerprint: string;
};

export class UnreadableSecret extends Error {
  override name = 'UnreadableSecret';
}

const VERSION = 'v1.';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_BYTES = 8;
const SALT = 'meridian/secrets';

/** What the database must not hold in plain text: sealed by SECRET_KEY, or by the key file of this installation. */
export function openSecrets({ config, log }: { config: Config; log: Log }): Secrets {
  const key = config.SECRET_KEY ?? readKeyFile(join(config.dataDir, 'secret.key'), log);
  const derive = (purpose: string, bytes = 32) => Buffer.from(hkdfSync('sha256', key, SALT, purpose, bytes));
  const sealing = derive('seal');
  const hashing = derive('mac');

  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(VERSION));
      const body = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return VERSION + body.toString('base64url');
    },
    open(sealed) {
      if (!sealed.startsWith(VERSION)) throw new UnreadableSecret('This is not a sealed text of a version known here');
      const body = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (body.length < NONCE_BYTES + TAG_BYTES) throw new UnreadableSecret('A sealed text was cut short');
      const tagAt = body.length - TAG_BYTES;
      const cipher = createDecipheriv(CIPHER, sealing, body.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(VERSION))
        .setAuthTag(body.subarray(tagAt));
      try {
        return Buffer.concat([cipher.update(body.subarray(NONCE_BYTES, tagAt)), cipher.final()]).toString('utf8');
      } catch {
        throw new UnreadableSecret('A sealed text cannot be opened: another key has sealed it, or it was changed');
      }
    },
    mac: (purpose, text) =>
      createHmac('sha256', hashing)
        .update(JSON.stringify([purpose, text]))
        .digest(),
    fingerprint: derive('fingerprint', FINGERPRINT_BYTES).toString('hex'),
  };
}

import { randomInt } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import { BRAND } from '#shared/brand.ts';

const SECRET_BYTES = 20;
const CODES = 10;
/** Without letters and digits that are easily confused. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const GROUP = 4;

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URI in the QR code for authenticator apps. */
export const otpauthUri = (secret: string, email: string): string =>
  new TOTP({ issuer: BRAND.name, label: email, secret }).toString();

/** The 30-second step of a code: the current or an adjacent one, else null. */
export function findTimeStep(secret: string, code: string, at: Date): number | null {
  const totp = new TOTP({ secret });
  const timestamp = at.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

const letters = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Ten different codes, such as 'K7QM-3XWD'. */
export function newBackupCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < CODES) codes.add(`${letters()}-${letters()}`);
  return [...codes];
}

export type EnteredCode = { kind: 'totp' | 'backup'; code: string };

/** Normalises typed codes: spaces, dashes and case. */
export function read(typed: string): EnteredCode {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  return { kind: /^\d{6}$/.test(code) ? 'totp' : 'backup', code };
}

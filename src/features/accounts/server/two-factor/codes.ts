import { randomInt } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';

import { BRAND } from '#shared/brand.ts';

const SECRET_BYTES = 20;
const CODES = 10;
/** Without letters and digits that are taken for one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const GROUP = 4;

export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator app reads from the QR code. */
export const uriOf = (secret: string, email: string): string =>
  new TOTP({ issuer: BRAND.name, label: email, secret }).toString();

/** The 30-second step that a code belongs to: the present one or a neighbour of it, else null. */
export function stepOf(secret: string, code: string, at: Date): number | null {
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

export type Typed = { kind: 'totp' | 'backup'; code: string };

/** What was typed, without the spaces, dashes and small letters in which people differ. */
export function read(typed: string): Typed {
  const code = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  return { kind: /^\d{6}$/.test(code) ? 'totp' : 'backup', code };
}

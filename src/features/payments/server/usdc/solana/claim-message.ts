import { createPublicKey, verify } from 'node:crypto';

import type { AuthContext } from '#features/accounts/server/auth/service.ts';
import { fromBase58 } from '#shared/base58.ts';
import { BRAND } from '#shared/brand.ts';

type Context = Pick<AuthContext, 'secrets' | 'publicUrl' | 'now'>;

const QUARTER_MS = 15 * 60_000;
const CODE_BYTES = 16;
const [KEY_BYTES, SIGNATURE_BYTES] = [32, 64];
/** An ed25519 public key as node:crypto reads it: this, then its 32 bytes. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function messagesUntil({ secrets, publicUrl }: Context, userId: number, tx: string, until: number): string[] {
  const site = new URL(publicUrl()).host;
  const expires = new Date(until).toISOString();
  const codes = secrets.macs('usdc claim', JSON.stringify([site, userId, tx, expires]));
  return codes.map((code) =>
    [
      `${site} asks you to sign that a transfer to ${BRAND.name} is yours. Signing sends nothing and costs nothing.`,
      '',
      `Account: ${userId}`,
      `Transaction: ${tx}`,
      `Valid until: ${expires}`,
      `Code: ${code.subarray(0, CODE_BYTES).toString('base64url')}`,
    ].join('\n'),
  );
}

/** Ends with the next quarter of an hour but one, so that it need not be kept: good for 15 to 30 minutes. */
export function claimMessage(ctx: Context, userId: number, tx: string): string {
  const quarter = Math.floor(ctx.now().getTime() / QUARTER_MS);
  return messagesUntil(ctx, userId, tx, (quarter + 2) * QUARTER_MS)[0] ?? '';
}

/** Those that may still be signed, also with a code from before the secret key was changed. */
function goodMessages(ctx: Context, userId: number, tx: string): string[] {
  const quarter = Math.floor(ctx.now().getTime() / QUARTER_MS);
  return [quarter + 2, quarter + 1].flatMap((end) => messagesUntil(ctx, userId, tx, end * QUARTER_MS));
}

/** Base58 or hex; undefined when it is no signature. */
export function signatureOf(text: string): Uint8Array | undefined {
  const hex = /^(?:0x)?([0-9a-f]{128})$/i.exec(text)?.[1];
  return hex === undefined ? fromBase58(text, SIGNATURE_BYTES) : new Uint8Array(Buffer.from(hex, 'hex'));
}

function isSignedBy(wallet: string, message: string, signature: Uint8Array): boolean {
  const bytes = fromBase58(wallet, KEY_BYTES);
  if (!bytes) return false;
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, bytes]), format: 'der', type: 'spki' });
    return verify(null, Buffer.from(message), key, signature);
  } catch {
    // An address of a program is no key.
    return false;
  }
}

/** Which of the messages that still hold the wallet has signed; undefined when none. */
export function findSigned(
  ctx: Context,
  { userId, tx, wallet, signature }: { userId: number; tx: string; wallet: string; signature: Uint8Array },
): string | undefined {
  return goodMessages(ctx, userId, tx).find((message) => isSignedBy(wallet, message, signature));
}

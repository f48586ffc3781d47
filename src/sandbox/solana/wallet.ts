import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';

import { toBase58 } from '#shared/base58.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export type SolanaWallet = {
  address: string;
  /** Signs a message as wallets do; base58. */
  sign: (message: string) => string;
};

/** A wallet whose key follows from its name. */
export function walletNamed(name: string): SolanaWallet {
  const seed = createHash('sha256').update(`solana wallet ${name}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: toBase58(bytes.subarray(-KEY_BYTES)),
    sign: (message) => toBase58(sign(null, Buffer.from(message), key)),
  };
}

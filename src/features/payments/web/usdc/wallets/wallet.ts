/** A transfer for the wallet to send. */
export type Order = {
  /** The payee: an address of the network. */
  to: string;
  /** Contract or mint of USDC. */
  token: string;
  /** Micro-USDC. */
  units: bigint;
  /** Solana only. */
  reference: string | null;
  paymentId: string;
};

/** A step shown while a wallet is working. */
export type Step = 'connect' | 'network' | 'confirm';

/** A wallet found in this browser. */
export type FoundWallet = {
  id: string;
  name: string;
  /** Sends the order and returns the transaction. Throws `WalletError`. */
  pay: (order: Order, onStep: (step: Step) => void) => Promise<string>;
};

/** Why a wallet did not pay, in words for the user. */
export class WalletError extends Error {}

export const DECLINED = 'You declined the request in your wallet. Nothing was sent.';

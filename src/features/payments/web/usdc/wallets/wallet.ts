/** What a wallet has to send. */
export type Order = {
  /** Who is paid: an address of the network. */
  to: string;
  /** Contract or mint of USDC. */
  token: string;
  /** Micro-USDC. */
  units: bigint;
  /** Solana only. */
  reference: string | null;
  paymentId: string;
};

/** A step the person sees while a wallet is at work. */
export type Step = 'connect' | 'network' | 'confirm';

/** A wallet found in this browser. */
export type FoundWallet = {
  id: string;
  name: string;
  /** Sends the order and answers the transaction. Throws `WalletError`. */
  pay: (order: Order, onStep: (step: Step) => void) => Promise<string>;
};

/** Why a wallet did not pay, in words for people. */
export class WalletError extends Error {}

export const DECLINED = 'You declined the request in your wallet. Nothing was sent.';

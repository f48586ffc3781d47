import { getWallets } from '@wallet-standard/app';

import { DECLINED, type FoundWallet, type Order, type Step, WalletError } from './wallet.ts';

const CHAIN = 'solana:mainnet';
const CONNECT = 'standard:connect';
const SEND = 'solana:signAndSendTransaction';
const SIGN_MESSAGE = 'solana:signMessage';

type Wallet = ReturnType<ReturnType<typeof getWallets>['get']>[number];
type Account = Wallet['accounts'][number];
type Features = {
  [CONNECT]: { connect: () => Promise<{ accounts: readonly Account[] }> };
  [SEND]: {
    signAndSendTransaction: (input: {
      account: Account;
      transaction: Uint8Array;
      chain: string;
    }) => Promise<readonly { signature: Uint8Array }[]>;
  };
  [SIGN_MESSAGE]: {
    signMessage: (input: { account: Account; message: Uint8Array }) => Promise<readonly { signature: Uint8Array }[]>;
  };
};

const feature = <K extends keyof Features>(wallet: Wallet, name: K): Features[K] =>
  wallet.features[name as `${string}:${string}`] as Features[K];

const withFeature = (name: keyof Features): Wallet[] =>
  getWallets()
    .get()
    .filter(({ chains, features }) => chains.includes(CHAIN) && CONNECT in features && name in features);

/** Wallets in this browser that can send on Solana. */
export async function findSolanaWallets(): Promise<FoundWallet[]> {
  return withFeature(SEND).map((wallet) => ({
    id: wallet.name,
    name: wallet.name,
    pay: (order, onStep) => pay(wallet, order, onStep),
  }));
}

async function pay(wallet: Wallet, order: Order, onStep: (step: Step) => void): Promise<string> {
  const { transferBytes, signatureText } = await import('./solana-transfer.ts');
  try {
    onStep('connect');
    const account = await connected(wallet);
    const transaction = await transferBytes(order, account.address);
    onStep('confirm');
    const [sent] = await feature(wallet, SEND).signAndSendTransaction({ account, transaction, chain: CHAIN });
    if (!sent) throw new WalletError('The wallet returned no transaction. Check it before you pay again.');
    return signatureText(sent.signature);
  } catch (error) {
    throw toWalletError(error);
  }
}

async function connected(wallet: Wallet): Promise<Account> {
  const { accounts } = await feature(wallet, CONNECT).connect();
  const account = accounts.find(({ chains }) => chains.includes(CHAIN));
  if (!account) throw new WalletError('Your wallet is on another network. Switch it to Solana and try again.');
  return account;
}

/** A wallet that can prove who sent a transfer. `sign` returns the signature in base58. */
export type Signer = { name: string; sign: (message: string) => Promise<string> };

export const findSigners = (): Signer[] =>
  withFeature(SIGN_MESSAGE).map((wallet) => ({ name: wallet.name, sign: (message) => sign(wallet, message) }));

async function sign(wallet: Wallet, text: string): Promise<string> {
  const { signatureText } = await import('./solana-transfer.ts');
  try {
    const account = await connected(wallet);
    const message = new TextEncoder().encode(text);
    const [signed] = await feature(wallet, SIGN_MESSAGE).signMessage({ account, message });
    if (!signed) throw new WalletError('The wallet returned no signature.');
    return signatureText(signed.signature);
  } catch (error) {
    throw toWalletError(error);
  }
}

function toWalletError(error: unknown): Error {
  if (error instanceof WalletError || (error instanceof Error && 'told' in error)) return error;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 4001 || (typeof message === 'string' && /reject|declin|denied|cancel/i.test(message)))
    return new WalletError(DECLINED);
  return new WalletError(
    typeof message === 'string' && message ? `Wallet error: ${message.slice(0, 200)}` : 'The wallet did not respond.',
  );
}

// @vitest-environment happy-dom
import {
  type Address,
  address,
  generateKeyPairSigner,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type KeyPairSigner,
  lamports,
  signTransaction,
} from '@solana/kit';
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenDecoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { findSigners, findSolanaWallets } from './solana.ts';
import type { Order } from './wallet.ts';

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const SIGNED = new Uint8Array(64).fill(7);

let svm: LiteSVM;
let payer: KeyPairSigner;
let merchant: KeyPairSigner;
let reference: Address;
const declines = { connect: false, send: false };
const removals: (() => void)[] = [];
afterAll(() => removals.forEach((remove) => remove()));

const tokenAccount = async (owner: Address) =>
  (await findAssociatedTokenPda({ owner, mint: USDC, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];

function plant(at: Address, data: Uint8Array): void {
  svm.setAccount({
    address: at,
    data,
    executable: false,
    lamports: lamports(10_000_000n),
    programAddress: TOKEN_PROGRAM_ADDRESS,
    space: BigInt(data.length),
  });
}

const tokensOf = (owner: Address, amount: bigint) =>
  new Uint8Array(
    getTokenEncoder().encode({
      mint: USDC,
      owner,
      amount,
      delegate: null,
      state: AccountState.Initialized,
      isNative: null,
      delegatedAmount: 0n,
      closeAuthority: null,
    }),
  );

async function balanceOf(owner: Address): Promise<bigint> {
  const account = svm.getAccount(await tokenAccount(owner));
  return account.exists ? getTokenDecoder().decode(account.data).amount : 0n;
}

/** The last transaction signed by the wallet. */
let heard: { keys: readonly Address[]; signature: Uint8Array };

async function signAndSend(bytes: Uint8Array): Promise<Uint8Array> {
  const signed = await signTransaction([payer.keyPair], getTransactionDecoder().decode(bytes));
  const result = svm.sendTransaction(signed);
  if (result instanceof FailedTransactionMetadata) throw new Error(`Simulation failed: ${result.toString()}`);
  const message = getCompiledTransactionMessageDecoder().decode(signed.messageBytes);
  const signature = new Uint8Array(Object.values(signed.signatures)[0] as Uint8Array);
  heard = { keys: message.staticAccounts, signature };
  svm.expireBlockhash();
  return signature;
}

beforeAll(async () => {
  svm = new LiteSVM();
  [payer, merchant] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  reference = (await generateKeyPairSigner()).address;
  svm.airdrop(payer.address, lamports(1_000_000_000n));
  const mint = { mintAuthority: payer.address, supply: 0n, decimals: 6, isInitialized: true, freezeAuthority: null };
  plant(USDC, new Uint8Array(getMintEncoder().encode(mint)));
  plant(await tokenAccount(payer.address), tokensOf(payer.address, 100_000_000n));
  plant(await tokenAccount(merchant.address), tokensOf(merchant.address, 0n));
  register('Ghost', ['solana:mainnet']);
  register('Elsewhere', ['sui:mainnet']);
});

/** Registers a wallet as in the wallet standard. */
function register(name: string, chains: readonly `${string}:${string}`[]): void {
  const account = {
    address: payer.address,
    publicKey: new Uint8Array(getBase58Encoder().encode(payer.address)),
    chains,
    features: [],
  };
  const no = () => {
    throw new Error('User rejected the request.');
  };
  const wallet = {
    version: '1.0.0',
    name,
    icon: 'data:image/png;base64,',
    chains,
    accounts: [],
    features: {
      'standard:connect': {
        connect: async () => (declines.connect ? no() : { accounts: [account] }),
      },
      'solana:signAndSendTransaction': {
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) =>
          declines.send ? no() : [{ signature: await signAndSend(transaction) }],
      },
      'solana:signMessage': {
        signMessage: async ({ message }: { message: Uint8Array }) =>
          new TextDecoder().decode(message) === 'It is mine' ? [{ signature: SIGNED }] : no(),
      },
    },
  };
  type Api = { register: (it: unknown) => () => void };
  const join = (api: Api) => void removals.push(api.register(wallet));
  // As wallets do: before or after the page asks.
  const hear = (event: Event) => join((event as CustomEvent<Api>).detail);
  addEventListener('wallet-standard:app-ready', hear);
  removals.push(() => removeEventListener('wallet-standard:app-ready', hear));
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: join }));
}

afterEach(() => {
  vi.unstubAllGlobals();
  Object.assign(declines, { connect: false, send: false });
});

const order = (change: Partial<Order> = {}): Order => ({
  to: merchant.address,
  token: USDC,
  units: 29_990_037n,
  reference,
  paymentId: 'pay_0000000001',
  ...change,
});

/** The server returns the newest block. */
function serve(): void {
  vi.stubGlobal('fetch', async (path: string) =>
    path === '/api/subscribe/solana/blockhash'
      ? Response.json({ blockhash: svm.latestBlockhash(), lastValidBlockHeight: '1000' })
      : Response.json({ error: 'no', code: 'not_found' }, { status: 404 }),
  );
}

describe('a standard wallet, on a real Solana virtual machine', () => {
  test('only those that send on Solana are offered', async () => {
    expect((await findSolanaWallets()).map(({ name }) => name)).toEqual(['Ghost']);
  });

  test('sends exactly the amount to the account of the payee, with the reference', async () => {
    serve();
    const [wallet] = await findSolanaWallets();
    const steps: string[] = [];
    const before = await balanceOf(merchant.address);
    const tx = await wallet?.pay(order(), (step) => steps.push(step));
    expect((await balanceOf(merchant.address)) - before).toBe(29_990_037n);
    expect(heard.keys).toContain(reference);
    expect(new Uint8Array(getBase58Encoder().encode(tx ?? ''))).toEqual(heard.signature);
    expect(steps).toEqual(['connect', 'confirm']);
  });

  test('without a reference it is a plain transfer', async () => {
    serve();
    const [wallet] = await findSolanaWallets();
    const before = await balanceOf(merchant.address);
    await wallet?.pay(order({ reference: null, units: 1n }), () => {});
    expect((await balanceOf(merchant.address)) - before).toBe(1n);
    expect(heard.keys).not.toContain(reference);
  });

  test.each(['connect', 'send'] as const)('declined at %s: nothing is sent, and it is reported', async (step) => {
    serve();
    declines[step] = true;
    const [wallet] = await findSolanaWallets();
    const before = await balanceOf(merchant.address);
    await expect(wallet?.pay(order(), () => {})).rejects.toThrow(
      'You declined the request in your wallet. Nothing was sent.',
    );
    expect(await balanceOf(merchant.address)).toBe(before);
  });

  test('more than the wallet has is not sent, with the wallet’s message', async () => {
    serve();
    const [wallet] = await findSolanaWallets();
    await expect(wallet?.pay(order({ units: 900_000_000n }), () => {})).rejects.toThrow(
      /^Wallet error: Simulation failed/,
    );
  });

  test('signs a message for a claim', async () => {
    const [signer] = findSigners();
    expect(new Uint8Array(getBase58Encoder().encode((await signer?.sign('It is mine')) ?? ''))).toEqual(SIGNED);
    await expect(signer?.sign('Anything else')).rejects.toThrow('You declined the request');
  });
});

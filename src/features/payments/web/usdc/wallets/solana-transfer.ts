import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { getBlockhash } from '#features/payments/contract/usdc.ts';
import { call } from '#ui/api/client.ts';
import type { Order } from './wallet.ts';

const USDC_DECIMALS = 6;

const tokenAccount = async (owner: Address, mint: Address): Promise<Address> =>
  (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];

export type Lifetime = { blockhash: string; lastValidBlockHeight: string };

/**
 * A transfer that only the wallet has to sign: from its token account to the payee's, with the reference as a read-only
 * key.
 */
export async function buildTransfer(order: Order, from: string, lifetime: Lifetime): Promise<Uint8Array> {
  const [payer, mint] = [createNoopSigner(address(from)), address(order.token)];
  const transfer: Instruction = getTransferCheckedInstruction({
    source: await tokenAccount(payer.address, mint),
    mint,
    destination: await tokenAccount(address(order.to), mint),
    authority: payer,
    amount: order.units,
    decimals: USDC_DECIMALS,
  });
  const references = order.reference ? [{ address: address(order.reference), role: AccountRole.READONLY }] : [];
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: lifetime.blockhash as Blockhash, lastValidBlockHeight: BigInt(lifetime.lastValidBlockHeight) },
        m,
      ),
    (m) =>
      appendTransactionMessageInstruction({ ...transfer, accounts: [...(transfer.accounts ?? []), ...references] }, m),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
}

/** As `buildTransfer`, with the latest blockhash from the server. */
export const transferBytes = async (order: Order, from: string): Promise<Uint8Array> =>
  buildTransfer(order, from, await call(getBlockhash, {}));

export const signatureText = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes);

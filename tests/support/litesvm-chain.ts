import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintEncoder,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type * as LiteSvm from 'litesvm';

import { LiteSvmNode } from './litesvm-node.ts';
import { rpc, type SolanaTestChain } from './solana-test-chain.ts';

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [INITIAL_BALANCE, EXCESSIVE_AMOUNT] = [1_000_000_000_000n, 9_000_000_000_000n];
const MINT_BYTES = 82n;

const accountOf = async (owner: Address, mint: Address) =>
  (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];

/** On LiteSVM, a payer with USDC and a worthless token, and a merchant with an account for each. */
export async function startLiteSvmChain(module: typeof LiteSvm): Promise<SolanaTestChain> {
  const node = new LiteSvmNode(module);
  const url = await node.listen();
  const [payer, merchant, worthless] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ]);
  node.svm.airdrop(payer.address, lamports(1_000_000_000_000n));

  async function send(instructions: readonly Instruction[]): Promise<string> {
    type Latest = { value: { blockhash: Blockhash; lastValidBlockHeight: number } };
    const { value } = await rpc<Latest>(url, 'getLatestBlockhash', []);
    const blockhashLifetime = { ...value, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) };
    const signed = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(blockhashLifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
    return rpc<string>(url, 'sendTransaction', [getBase64EncodedWireTransaction(signed), { encoding: 'base64' }]);
  }

  for (const mint of [USDC, worthless.address]) {
    const data = getMintEncoder().encode({
      mintAuthority: payer.address,
      supply: 0n,
      decimals: 6,
      isInitialized: true,
      freezeAuthority: null,
    });
    node.svm.setAccount({
      address: mint,
      data: new Uint8Array(data),
      executable: false,
      lamports: lamports(10_000_000n),
      programAddress: TOKEN_PROGRAM_ADDRESS,
      space: MINT_BYTES,
    });
    const [payerAccount, merchantAccount] = [
      await accountOf(payer.address, mint),
      await accountOf(merchant.address, mint),
    ];
    await send([
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: payerAccount, owner: payer.address, mint }),
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: merchantAccount, owner: merchant.address, mint }),
      getMintToInstruction({ mint, token: payerAccount, mintAuthority: payer, amount: INITIAL_BALANCE }),
    ]);
  }
  node.tick(40);
  const account = await accountOf(merchant.address, USDC);

  return {
    url,
    wallet: merchant.address,
    payer: payer.address,
    async pay({ units, references = [], isWorthlessToken = false, fails = false }) {
      const mint = isWorthlessToken ? worthless.address : USDC;
      const transfer = getTransferCheckedInstruction({
        source: await accountOf(payer.address, mint),
        mint,
        destination: await accountOf(merchant.address, mint),
        authority: payer,
        amount: fails ? EXCESSIVE_AMOUNT : units,
        decimals: 6,
      });
      const keys = references.map((key) => ({ address: address(key), role: AccountRole.READONLY }) as const);
      return send([{ ...transfer, accounts: [...transfer.accounts, ...keys] }]);
    },
    async tick(slots) {
      node.tick(slots);
    },
    async drop(signature) {
      node.drop(signature);
    },
    setDown(isDown) {
      node.isDown = isDown;
    },
    async balance() {
      const { value } = await rpc<{ value: { amount: string } }>(url, 'getTokenAccountBalance', [account]);
      return BigInt(value.amount);
    },
    close: () => node.close(),
  };
}

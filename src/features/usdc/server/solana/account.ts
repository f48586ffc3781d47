/** The account that a wallet holds a token in: everybody who pays the wallet pays there. */
export async function tokenAccountOf(wallet: string, token: string): Promise<string> {
  // Only who takes USDC on Solana pays for loading these.
  const [{ address }, { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS }] = await Promise.all([
    import('@solana/kit'),
    import('@solana-program/token'),
  ]);
  const seeds = { owner: address(wallet), mint: address(token), tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const [account] = await findAssociatedTokenPda(seeds);
  return account;
}

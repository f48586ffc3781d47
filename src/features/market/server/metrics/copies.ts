const COPY =
  /\b(wrapped|staked|bridged|restaked|liquid)\b|usd|eur\b|dai\b|frax|^(wbtc|weth|steth|wsteth|reth|cbbtc|cbeth|weeth|ezeth|rseth|meth|jitosol|msol|bnsol|lbtc|solvbtc|tbtc)$/i;

/** Copies of other coins, and coins pegged to a currency: they have no fortune of their own. */
export const isCopy = ({ symbol, name }: { symbol: string; name: string }): boolean =>
  COPY.test(symbol) || COPY.test(name);

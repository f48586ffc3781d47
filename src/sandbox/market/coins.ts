import { fraction } from './random.ts';

const PREFIXES = ['Ar', 'Bel', 'Cor', 'Dra', 'El', 'Fen', 'Gal', 'Hal', 'Ist', 'Jor', 'Kel', 'Lum', 'Mor', 'Nov', 'Or'];
const MORE_PREFIXES = [
  'Pel',
  'Quo',
  'Rav',
  'Sol',
  'Tal',
  'Umb',
  'Vel',
  'Wyn',
  'Xan',
  'Yar',
  'Zen',
  'Ost',
  'Cyr',
  'Mir',
];
const SUFFIXES = [
  'vex',
  'dara',
  'nium',
  'thos',
  'rion',
  'lith',
  'quin',
  'mera',
  'zar',
  'bryn',
  'gate',
  'phor',
  'sta',
  'wick',
];
const SECTOR_SUFFIXES: readonly (readonly [Sector, string])[] = [
  ['layer-1', ''],
  ['layer-2', ' Chain'],
  ['decentralized-finance-defi', ' Finance'],
  ['meme-token', ' Inu'],
  ['artificial-intelligence', ' AI'],
  ['gaming', ' Play'],
  ['infrastructure', ' Protocol'],
  ['depin', ' Network'],
  ['real-world-assets-rwa', ' Assets'],
  ['decentralized-finance-defi', ' Swap'],
];

const LARGEST_CAP = 330e6;
const SMALLEST_CAP = 24e6;
const SALT = 0x6d65;

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function uniqueSymbol(name: string, used: Set<string>): string {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  for (const size of [3, 4, 5, 6, 7]) {
    const symbol = letters.slice(0, size);
    if (!used.has(symbol)) return symbol;
  }
  return letters;
}

/** Plausible names below the known ones, by falling market cap; the same list every time. */
function generateCoins(count: number, reservedSymbols: ReadonlySet<string>): CoinRow[] {
  const prefixes = [...PREFIXES, ...MORE_PREFIXES];
  const usedSymbols = new Set(reservedSymbols);
  return Array.from({ length: count }, (_, i): CoinRow => {
    const [sector, suffix] = SECTOR_SUFFIXES[Math.floor(fraction(SALT, i, 1) * SECTOR_SUFFIXES.length)] ?? [
      'layer-1',
      '',
    ];
    const stem = `${prefixes[i % prefixes.length]}${SUFFIXES[(i + 2 * Math.floor(i / prefixes.length)) % SUFFIXES.length]}`;
    const name = `${stem}${suffix}`;
    const symbol = uniqueSymbol(name, usedSymbols);
    usedSymbols.add(symbol);
    const cap = LARGEST_CAP * (SMALLEST_CAP / LARGEST_CAP) ** (i / count) * (0.93 + 0.14 * fraction(SALT, i, 2));
    const magnitude = sector === 'meme-token' ? -5 + 3 * fraction(SALT, i, 3) : -2 + 3.6 * fraction(SALT, i, 3);
    const price = rounded(10 ** magnitude);
    const circulating = rounded(cap / price);
    const total = rounded(circulating * (1 + 1.4 * fraction(SALT, i, 4) ** 2));
    const max = fraction(SALT, i, 5) < 0.6 ? rounded(total * (1 + 0.5 * fraction(SALT, i, 6))) : null;
    return [name.toLowerCase().replaceAll(' ', '-'), symbol, name, sector, price, circulating, total, max];
  });
}

const M = 1e6;
const B = 1e9;
const T = 1e12;

/** Real names, so that the demo looks like the market; every figure is made up. */
const KNOWN_COINS: readonly CoinRow[] = [
  ['bitcoin', 'btc', 'Bitcoin', 'layer-1', 86_400, 19.98 * M, 19.98 * M, 21 * M],
  ['ethereum', 'eth', 'Ethereum', 'layer-1', 3120, 121.4 * M, 121.4 * M, null],
  ['tether', 'usdt', 'Tether', 'stablecoins', 1, 176 * B, 181 * B, null],
  ['ripple', 'xrp', 'XRP', 'layer-1', 2.18, 61.2 * B, 99.98 * B, 100 * B],
  ['binancecoin', 'bnb', 'BNB', 'exchange-based-tokens', 842, 137.6 * M, 137.6 * M, 200 * M],
  ['solana', 'sol', 'Solana', 'layer-1', 158, 561 * M, 617 * M, null],
  ['usd-coin', 'usdc', 'USDC', 'stablecoins', 1, 74 * B, 74 * B, null],
  ['dogecoin', 'doge', 'Dogecoin', 'meme-token', 0.168, 153 * B, 153 * B, null],
  ['tron', 'trx', 'TRON', 'layer-1', 0.287, 94.7 * B, 94.7 * B, null],
  ['cardano', 'ada', 'Cardano', 'layer-1', 0.462, 36.1 * B, 45 * B, 45 * B],
  ['staked-ether', 'steth', 'Lido Staked Ether', 'liquid-staking-tokens', 3118, 8.7 * M, 8.7 * M, null, 'ethereum'],
  ['wrapped-bitcoin', 'wbtc', 'Wrapped Bitcoin', 'wrapped-tokens', 86_350, 127_600, 127_600, null, 'bitcoin'],
  ['hyperliquid', 'hype', 'Hyperliquid', 'decentralized-finance-defi', 34.2, 336 * M, 998 * M, 1 * B],
  ['chainlink', 'link', 'Chainlink', 'infrastructure', 14.6, 697 * M, 1 * B, 1 * B],
  ['bitcoin-cash', 'bch', 'Bitcoin Cash', 'layer-1', 488, 19.97 * M, 19.97 * M, 21 * M],
  ['stellar', 'xlm', 'Stellar', 'layer-1', 0.259, 32.2 * B, 50 * B, 50 * B],
  ['ethena-usde', 'usde', 'Ethena USDe', 'stablecoins', 1, 9.1 * B, 9.1 * B, null],
  ['sui', 'sui', 'Sui', 'layer-1', 1.94, 3.74 * B, 10 * B, 10 * B],
  ['wrapped-steth', 'wsteth', 'Wrapped stETH', 'liquid-staking-tokens', 3810, 3.3 * M, 3.3 * M, null, 'ethereum'],
  ['avalanche-2', 'avax', 'Avalanche', 'layer-1', 15.8, 428 * M, 461 * M, 720 * M],
  ['litecoin', 'ltc', 'Litecoin', 'layer-1', 88.5, 76.7 * M, 84 * M, 84 * M],
  ['leo-token', 'leo', 'LEO Token', 'exchange-based-tokens', 9.2, 921 * M, 984 * M, null],
  ['hedera-hashgraph', 'hbar', 'Hedera', 'layer-1', 0.141, 42.6 * B, 50 * B, 50 * B],
  ['weth', 'weth', 'WETH', 'wrapped-tokens', 3120, 2.3 * M, 2.3 * M, null, 'ethereum'],
  ['monero', 'xmr', 'Monero', 'privacy-coins', 338, 18.45 * M, 18.45 * M, null],
  ['shiba-inu', 'shib', 'Shiba Inu', 'meme-token', 0.00000897, 589.2 * T, 589.5 * T, null],
  ['the-open-network', 'ton', 'Toncoin', 'layer-1', 1.88, 2.54 * B, 5.14 * B, null],
  ['coinbase-wrapped-btc', 'cbbtc', 'Coinbase Wrapped BTC', 'wrapped-tokens', 86_380, 71_400, 71_400, null, 'bitcoin'],
  ['crypto-com-chain', 'cro', 'Cronos', 'exchange-based-tokens', 0.117, 35.8 * B, 97.8 * B, 100 * B],
  ['zcash', 'zec', 'Zcash', 'privacy-coins', 284, 16.3 * M, 16.3 * M, 21 * M],
  ['polkadot', 'dot', 'Polkadot', 'layer-1', 2.74, 1.63 * B, 1.63 * B, null],
  ['uniswap', 'uni', 'Uniswap', 'decentralized-finance-defi', 6.41, 630 * M, 1 * B, 1 * B],
  ['dai', 'dai', 'Dai', 'stablecoins', 1, 4.6 * B, 4.6 * B, null],
  ['mantle', 'mnt', 'Mantle', 'layer-2', 1.21, 3.25 * B, 6.22 * B, 6.22 * B],
  ['bittensor', 'tao', 'Bittensor', 'artificial-intelligence', 331, 10.2 * M, 21 * M, 21 * M],
  ['aave', 'aave', 'Aave', 'decentralized-finance-defi', 186, 15.3 * M, 16 * M, 16 * M],
  ['near', 'near', 'NEAR Protocol', 'artificial-intelligence', 2.05, 1.28 * B, 1.28 * B, null],
  ['bitget-token', 'bgb', 'Bitget Token', 'exchange-based-tokens', 3.72, 699 * M, 919 * M, 2 * B],
  ['okb', 'okb', 'OKB', 'exchange-based-tokens', 118, 21 * M, 21 * M, 21 * M],
  ['internet-computer', 'icp', 'Internet Computer', 'depin', 4.38, 541 * M, 541 * M, null],
  ['ethereum-classic', 'etc', 'Ethereum Classic', 'layer-1', 14.9, 154 * M, 211 * M, 211 * M],
  ['pepe', 'pepe', 'Pepe', 'meme-token', 0.00000512, 420.7 * T, 420.7 * T, 420.7 * T],
  ['ondo-finance', 'ondo', 'Ondo', 'real-world-assets-rwa', 0.587, 3.16 * B, 10 * B, 10 * B],
  ['tether-gold', 'xaut', 'Tether Gold', 'tokenized-gold', 4060, 391_000, 391_000, null],
  ['paypal-usd', 'pyusd', 'PayPal USD', 'stablecoins', 1, 2.9 * B, 2.9 * B, null],
  ['pax-gold', 'paxg', 'PAX Gold', 'tokenized-gold', 4065, 352_000, 352_000, null],
  ['aptos', 'apt', 'Aptos', 'layer-1', 2.61, 738 * M, 1.19 * B, null],
  ['worldcoin-wld', 'wld', 'Worldcoin', 'artificial-intelligence', 0.713, 2.31 * B, 10 * B, 10 * B],
  ['kucoin-shares', 'kcs', 'KuCoin', 'exchange-based-tokens', 11.9, 130 * M, 142 * M, null],
  ['polygon-ecosystem-token', 'pol', 'POL (ex-MATIC)', 'layer-2', 0.147, 10.5 * B, 10.5 * B, null],
  ['arbitrum', 'arb', 'Arbitrum', 'layer-2', 0.242, 5.62 * B, 10 * B, 10 * B],
  ['algorand', 'algo', 'Algorand', 'layer-1', 0.153, 8.82 * B, 10 * B, 10 * B],
  ['vechain', 'vet', 'VeChain', 'real-world-assets-rwa', 0.0146, 85.9 * B, 85.9 * B, 86.7 * B],
  ['cosmos', 'atom', 'Cosmos Hub', 'layer-1', 2.69, 481 * M, 481 * M, null],
  ['kaspa', 'kas', 'Kaspa', 'layer-1', 0.0463, 26.9 * B, 26.9 * B, 28.7 * B],
  ['ethena', 'ena', 'Ethena', 'decentralized-finance-defi', 0.263, 7.4 * B, 15 * B, 15 * B],
  ['sky', 'sky', 'Sky', 'decentralized-finance-defi', 0.0553, 22.9 * B, 23.5 * B, 23.5 * B],
  ['jupiter-exchange-solana', 'jup', 'Jupiter', 'decentralized-finance-defi', 0.238, 3.18 * B, 6.86 * B, 10 * B],
  ['render-token', 'render', 'Render', 'artificial-intelligence', 2.02, 518 * M, 533 * M, 644 * M],
  ['filecoin', 'fil', 'Filecoin', 'depin', 1.49, 711 * M, 1.95 * B, 1.96 * B],
  ['official-trump', 'trump', 'Official Trump', 'meme-token', 5.9, 200 * M, 1 * B, 1 * B],
  ['gatechain-token', 'gt', 'Gate', 'exchange-based-tokens', 10.6, 81.2 * M, 300 * M, null],
  ['flare-networks', 'flr', 'Flare', 'infrastructure', 0.0131, 76.8 * B, 104 * B, null],
  ['quant-network', 'qnt', 'Quant', 'infrastructure', 76.3, 14.5 * M, 14.6 * M, 14.6 * M],
  ['xdce-crowd-sale', 'xdc', 'XDC Network', 'real-world-assets-rwa', 0.0512, 18.3 * B, 38 * B, null],
  ['celestia', 'tia', 'Celestia', 'infrastructure', 0.741, 846 * M, 1.15 * B, null],
  ['sei-network', 'sei', 'Sei', 'layer-1', 0.152, 6.46 * B, 10 * B, 10 * B],
  ['bonk', 'bonk', 'Bonk', 'meme-token', 0.0000104, 82.3 * T, 88 * T, 88 * T],
  ['story-2', 'ip', 'Story', 'artificial-intelligence', 2.87, 342 * M, 1.02 * B, null],
  ['blockstack', 'stx', 'Stacks', 'layer-2', 0.381, 1.79 * B, 1.79 * B, null],
  ['injective-protocol', 'inj', 'Injective', 'decentralized-finance-defi', 6.06, 99.9 * M, 99.9 * M, null],
  ['virtual-protocol', 'virtual', 'Virtuals Protocol', 'artificial-intelligence', 0.943, 656 * M, 1 * B, 1 * B],
  ['curve-dao-token', 'crv', 'Curve DAO', 'decentralized-finance-defi', 0.429, 1.42 * B, 2.33 * B, 3.03 * B],
  ['optimism', 'op', 'Optimism', 'layer-2', 0.336, 1.91 * B, 4.29 * B, 4.29 * B],
  ['pyth-network', 'pyth', 'Pyth Network', 'infrastructure', 0.0842, 5.75 * B, 10 * B, 10 * B],
  ['the-graph', 'grt', 'The Graph', 'infrastructure', 0.0564, 10.5 * B, 10.8 * B, null],
  ['lido-dao', 'ldo', 'Lido DAO', 'decentralized-finance-defi', 0.668, 891 * M, 1 * B, 1 * B],
  ['immutable-x', 'imx', 'Immutable', 'gaming', 0.372, 1.97 * B, 2 * B, 2 * B],
  ['floki', 'floki', 'FLOKI', 'meme-token', 0.0000571, 9.54 * T, 9.65 * T, 10 * T],
  [
    'fetch-ai',
    'fet',
    'Artificial Superintelligence Alliance',
    'artificial-intelligence',
    0.247,
    2.3 * B,
    2.71 * B,
    2.72 * B,
  ],
  ['the-sandbox', 'sand', 'The Sandbox', 'gaming', 0.171, 2.57 * B, 3 * B, 3 * B],
  ['tezos', 'xtz', 'Tezos', 'layer-1', 0.542, 1.06 * B, 1.08 * B, null],
  ['dash', 'dash', 'Dash', 'privacy-coins', 41.2, 12.5 * M, 12.5 * M, 18.9 * M],
  ['axie-infinity', 'axs', 'Axie Infinity', 'gaming', 1.36, 168 * M, 270 * M, 270 * M],
  ['helium', 'hnt', 'Helium', 'depin', 2.08, 186 * M, 186 * M, 223 * M],
];

/** Ids are CoinGecko's categories. */
export type Sector =
  | 'layer-1'
  | 'layer-2'
  | 'decentralized-finance-defi'
  | 'meme-token'
  | 'artificial-intelligence'
  | 'stablecoins'
  | 'exchange-based-tokens'
  | 'real-world-assets-rwa'
  | 'gaming'
  | 'infrastructure'
  | 'privacy-coins'
  | 'depin'
  | 'tokenized-gold'
  | 'liquid-staking-tokens'
  | 'wrapped-tokens';

/** [id, symbol, name, sector, base price in USD, circulating, total, max supply, id of the coin it follows] */
type CoinRow = readonly [
  id: string,
  symbol: string,
  name: string,
  sector: Sector,
  basePrice: number,
  circulating: number,
  total: number,
  max: number | null,
  follows?: string,
];

export type Coin = {
  /** Rank by base market cap, from 0; the key of its noise. */
  readonly index: number;
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly sector: Sector;
  readonly basePrice: number;
  readonly circulatingSupply: number;
  readonly totalSupply: number;
  readonly maxSupply: number | null;
  /** The coin whose price this one wraps. */
  readonly trackedCoinId: string | null;
};

const COIN_COUNT = 300;

/** The same three hundred for every seed; only their prices differ. */
export function listCoins(): Coin[] {
  const usedSymbols = new Set(KNOWN_COINS.map((row) => row[1]));
  const rows = [...KNOWN_COINS, ...generateCoins(COIN_COUNT - KNOWN_COINS.length, usedSymbols)];
  return rows
    .toSorted((a, b) => b[4] * b[5] - a[4] * a[5])
    .map(([id, symbol, name, sector, basePrice, circulating, total, max, trackedCoinId], index) => ({
      index,
      id,
      symbol,
      name,
      sector,
      basePrice,
      circulatingSupply: circulating,
      totalSupply: total,
      maxSupply: max,
      trackedCoinId: trackedCoinId ?? null,
    }));
}

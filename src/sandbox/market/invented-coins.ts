import type { CoinRow, Sector } from './coins.ts';
import { fraction } from './random.ts';

const HEADS = ['Ar', 'Bel', 'Cor', 'Dra', 'El', 'Fen', 'Gal', 'Hal', 'Ist', 'Jor', 'Kel', 'Lum', 'Mor', 'Nov', 'Or'];
const MORE_HEADS = ['Pel', 'Quo', 'Rav', 'Sol', 'Tal', 'Umb', 'Vel', 'Wyn', 'Xan', 'Yar', 'Zen', 'Ost', 'Cyr', 'Mir'];
const TAILS = [
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
const KINDS: readonly (readonly [Sector, string])[] = [
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

function symbolOf(name: string, taken: Set<string>): string {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  for (const size of [3, 4, 5, 6, 7]) {
    const symbol = letters.slice(0, size);
    if (!taken.has(symbol)) return symbol;
  }
  return letters;
}

/** Plausible names below the known ones, in falling market cap; the same list every time. */
export function inventedCoins(count: number, takenSymbols: ReadonlySet<string>): CoinRow[] {
  const heads = [...HEADS, ...MORE_HEADS];
  const taken = new Set(takenSymbols);
  return Array.from({ length: count }, (_, i): CoinRow => {
    const [sector, suffix] = KINDS[Math.floor(fraction(SALT, i, 1) * KINDS.length)] ?? ['layer-1', ''];
    const stem = `${heads[i % heads.length]}${TAILS[(i + 2 * Math.floor(i / heads.length)) % TAILS.length]}`;
    const name = `${stem}${suffix}`;
    const symbol = symbolOf(name, taken);
    taken.add(symbol);
    const cap = LARGEST_CAP * (SMALLEST_CAP / LARGEST_CAP) ** (i / count) * (0.93 + 0.14 * fraction(SALT, i, 2));
    const magnitude = sector === 'meme-token' ? -5 + 3 * fraction(SALT, i, 3) : -2 + 3.6 * fraction(SALT, i, 3);
    const price = rounded(10 ** magnitude);
    const circulating = rounded(cap / price);
    const total = rounded(circulating * (1 + 1.4 * fraction(SALT, i, 4) ** 2));
    const max = fraction(SALT, i, 5) < 0.6 ? rounded(total * (1 + 0.5 * fraction(SALT, i, 6))) : null;
    return [name.toLowerCase().replaceAll(' ', '-'), symbol, name, sector, price, circulating, total, max];
  });
}

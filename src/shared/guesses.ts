/** Ranks in lists of the most common words: 1 is tried first. */
export type Ranks = { get: (word: string) => number | undefined };

/** Longer passwords are rated by their beginning, which is sufficient. */
const MAX_LENGTH = 72;
const MAX_WORD_LENGTH = 40;
/** The cost factor of joining two parts. */
const PER_JOIN = 10_000;
const REFERENCE_YEAR = 2026;
const reversed = (text: string) => Array.from(text).toReversed().join('');
const ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'].flatMap((row) => [row, reversed(row)]);
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '(': 'c',
  '3': 'e',
  '6': 'g',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
  '2': 'z',
};

type Part = { from: number; to: number; guesses: number };

const choose = (n: number, k: number): number => {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
};

/** Number of capitalizations tried before this one. */
function capitals(word: string): number {
  const upper = word.replaceAll(/[^\p{Lu}]/gu, '').length;
  if (upper === 0) return 1;
  const lower = word.replaceAll(/[^\p{Ll}]/gu, '').length;
  if (lower === 0 || /^\p{Lu}[^\p{Lu}]*$|^[^\p{Lu}]*\p{Lu}$/u.test(word)) return 2;
  let ways = 0;
  for (let i = 1; i <= Math.min(upper, lower); i++) ways += choose(upper + lower, i);
  return Math.max(2, ways);
}

function wordGuesses(word: string, ranks: Ranks): number | null {
  const lower = word.toLowerCase();
  const written = ranks.get(lower);
  if (written !== undefined) return written * capitals(word);
  const backwards = ranks.get(reversed(lower));
  if (backwards !== undefined) return backwards * 2 * capitals(word);
  const plain = lower.replaceAll(/[@48(36!10$57+2]/g, (sign) => LETTERS[sign] ?? sign);
  const disguised = plain === lower ? undefined : ranks.get(plain);
  if (disguised === undefined) return null;
  const signs = Array.from(lower).filter((sign, i) => sign !== plain[i]).length;
  return disguised * capitals(word) * 2 ** signs;
}

function runGuesses(text: string): number | null {
  const codes = Array.from(text, (sign) => sign.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  const isRun = Math.abs(step) === 1 && codes.every((code, i) => i === 0 || code - (codes[i - 1] ?? 0) === step);
  if (isRun) return (/^[aAzZ019]/.test(text) ? 4 : /^\d/.test(text) ? 10 : 26) * text.length * (step < 0 ? 2 : 1);
  return text.length > 3 && ROWS.some((row) => row.includes(text.toLowerCase())) ? 40 * text.length : null;
}

function dateGuesses(text: string): number | null {
  if (/^(19|20)\d\d$/.test(text)) return Math.max(20, Math.abs(Number(text) - REFERENCE_YEAR));
  if (/^\d{1,4}([./_-])\d{1,2}\1\d{1,4}$/.test(text)) return 365 * 60 * 4;
  return /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])(19|20)?\d\d$|^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(
    text,
  )
    ? 365 * 60
    : null;
}

function partsOf(password: string, ranks: Ranks): Part[] {
  const parts: Part[] = [];
  for (let from = 0; from < password.length; from++)
    for (let to = from + 1; to <= Math.min(password.length, from + MAX_WORD_LENGTH); to++) {
      const text = password.slice(from, to);
      const found = [wordGuesses(text, ranks)];
      if (text.length > 2) found.push(runGuesses(text));
      if (text.length > 3) found.push(dateGuesses(text));
      const known = found.filter((guesses) => guesses !== null);
      if (known.length > 0) parts.push({ from, to, guesses: Math.min(...known) });
    }
  for (const { 0: all, 1: unit = '', index } of password.matchAll(/(.+?)\1+/gsu))
    if (all.length > 2)
      parts.push({
        from: index,
        to: index + all.length,
        guesses: (guessesFor(unit, ranks) * all.length) / unit.length,
      });
  return parts;
}

/**
 * The number of guesses needed to find a password, as estimated by zxcvbn: the cheapest combination of common words,
 * sequences, repeats, dates and single characters, for an attacker who knows such patterns.
 */
export function guessesFor(given: string, ranks: Ranks): number {
  const password = given.slice(0, MAX_LENGTH);
  const ending = new Map<number, Part[]>();
  for (const part of partsOf(password, ranks)) ending.set(part.to, [...(ending.get(part.to) ?? []), part]);
  /**
   * By length: for each number of parts the product of their guesses; `any` when the last part is a run of single
   * characters.
   */
  const best: Map<number, { product: number; any: boolean }>[] = [new Map([[0, { product: 1, any: false }]])];
  for (let to = 1; to <= password.length; to++) {
    const current: (typeof best)[number] = new Map();
    best.push(current);
    const take = ({ from, guesses }: Part, any: boolean) => {
      const least = to - from === password.length ? 1 : to - from === 1 ? 10 : 50;
      for (const [count, before] of best[from] ?? []) {
        if (any && before.any) continue;
        const product = before.product * Math.max(guesses, least);
        const known = current.get(count + 1);
        if (!known || product < known.product) current.set(count + 1, { product, any });
      }
    };
    for (const part of ending.get(to) ?? []) take(part, false);
    for (let from = 0; from < to; from++) take({ from, to, guesses: 10 ** (to - from) }, true);
  }
  let least = Number.POSITIVE_INFINITY;
  for (const [count, { product }] of best[password.length] ?? []) {
    let ways = product;
    for (let i = 2; i <= count; i++) ways *= i;
    least = Math.min(least, ways + (count > 1 ? PER_JOIN ** (count - 1) : 0));
  }
  return password === '' ? 0 : least;
}

/** Common passwords by rank, and words whose order is unknown to an attacker. */
export function buildRanks(passwords: readonly string[], words: readonly string[]): Ranks {
  const ranks = new Map<string, number>(words.map((word) => [word, words.length / 2]));
  passwords.forEach((word, i) => {
    ranks.set(word, Math.min(i + 1, ranks.get(word) ?? Number.POSITIVE_INFINITY));
  });
  return ranks;
}

/** Personal words of the user rank before all others. */
export function withOwn(ranks: Ranks, own: readonly string[]): Ranks {
  const first = new Map(own.map((word, i) => [word.toLowerCase(), i + 1]));
  return { get: (word) => first.get(word) ?? ranks.get(word) };
}

/** Parts of an email address that an attacker tries first. */
export const addressWords = (email: string): string[] =>
  [...new Set([email, email.split('@')[0] ?? '', ...email.split(/[^\p{L}\d]+/u)])].filter((word) => word.length > 2);

/** Fewer guesses take seconds with a copy of the hashes, and days at the sign-in. */
export const EASY_GUESSES = 1e6;
export const ADMIN_GUESSES = 1e10;

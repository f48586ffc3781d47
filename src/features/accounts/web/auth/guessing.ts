import {
  ADMIN_GUESSES,
  EASY_GUESSES,
  guessesFor,
  type Ranks,
  ranksOf,
  withOwn,
  wordsOfAddress,
} from '#shared/guesses.ts';

/** With a stolen copy of the hashes and one good graphics card. */
const GUESSES_PER_SECOND = 1e4;
const DAY = 86_400;

const TIMES: readonly (readonly [belowSeconds: number, words: string])[] = [
  [60, 'in seconds'],
  [3600, 'in minutes'],
  [DAY, 'in hours'],
  [30 * DAY, 'in days'],
  [365 * DAY, 'in months'],
  [36_500 * DAY, 'in years'],
];

/** 0 to 3: from easy to guess to out of reach. */
const LEVELS = [EASY_GUESSES, ADMIN_GUESSES, 1e14];
const ADVICE = ['Use three or four words.', 'One more word makes it far safer.', 'Good.', 'Very good.'] as const;

export type Guessing = { level: number; words: string };

let ranks: Promise<Ranks> | undefined;

/** The lists of common passwords and words are large: they are loaded when a password is typed. */
export const loadRanks = (): Promise<Ranks> =>
  (ranks ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => ranksOf(dictionary['passwords-common'], dictionary['diceware-common']),
    (error: unknown) => {
      ranks = undefined;
      throw error;
    },
  ));

/** What a guesser who knows the address needs, in plain words. */
export function guessingOf(password: string, email: string, known: Ranks): Guessing {
  const guesses = guessesFor(password, withOwn(known, wordsOfAddress(email)));
  const seconds = guesses / GUESSES_PER_SECOND;
  const time = guesses < EASY_GUESSES ? 'in seconds' : TIMES.find(([below]) => seconds < below)?.[1];
  const level = LEVELS.filter((least) => guesses >= least).length;
  return { level, words: `${time ? `Guessed ${time}` : 'Takes more than a lifetime to guess'}. ${ADVICE[level]}` };
}

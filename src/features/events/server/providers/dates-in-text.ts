import { DAY_MS, dayFrom, midnight, monthNamed } from '../days.ts';

const MONTH =
  '(Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sep(?:t(?:ember)?)?\\.?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?)';
const DATE = new RegExp(
  `\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:\\s*[-–]\\s*\\d{1,2})?(?:,?\\s+(\\d{4}))?\\b`,
  'g',
);
const YEAR_MS = 366 * DAY_MS;

/** The first day after `from`, and no more than a year after it, that a text names. Without a year the next such day is meant. */
export function dayAhead(text: string, from: Date): string | null {
  const days = [...text.matchAll(DATE)].flatMap(([, word = '', date, given]): string[] => {
    const month = monthNamed(word);
    if (month === undefined) return [];
    const year = from.getUTCFullYear();
    const years = given ? [Number(given)] : [year, year + 1];
    return years.flatMap((of) => dayFrom(of, month, Number(date)) ?? []);
  });
  const ahead = days.filter((day) => {
    const ms = midnight(day).getTime() - from.getTime();
    return ms > 0 && ms <= YEAR_MS;
  });
  return ahead.toSorted()[0] ?? null;
}

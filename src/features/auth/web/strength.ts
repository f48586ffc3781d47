const KINDS: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^A-Za-z\d]/, 33],
];
const STEPS = [40, 65, 90];

export const STRENGTHS = [
  { name: 'weak', advice: 'Easy to guess: make it longer.' },
  { name: 'fair', advice: 'Longer is safer.' },
  { name: 'good', advice: 'A few more characters make it strong.' },
  { name: 'strong', advice: 'Hard to guess.' },
] as const;

/** 0 to 3, by the bits of a random password of such characters. Repeats, runs such as abc and the own name count for nothing. */
export function strengthOf(password: string, email: string): number {
  const [name = ''] = email.toLowerCase().split('@');
  const own = name.length > 2 ? password.toLowerCase().replaceAll(name, '') : password;
  const pool = KINDS.reduce((all, [kind, size]) => all + (kind.test(password) ? size : 0), 0);
  const codes = Array.from(own, (letter) => letter.codePointAt(0) ?? 0);
  const counted = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? -9)) > 1).length;
  const bits = counted * Math.log2(Math.max(1, pool));
  return STEPS.filter((step) => bits >= step).length;
}

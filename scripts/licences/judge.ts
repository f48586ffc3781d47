import { ALLOWED, EXCEPTIONS } from './policy.ts';

/** Whether an SPDX expression leaves a choice that is allowed: one side of OR, both sides of AND. */
export function isAllowed(expression: string, allowed: ReadonlySet<string> = ALLOWED): boolean {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  function one(): boolean {
    const word = words[at++];
    if (word !== '(') return word !== undefined && allowed.has(word);
    const inside = either();
    return words[at++] === ')' && inside;
  }
  function both(): boolean {
    let good = one();
    while (words[at] === 'AND') {
      at += 1;
      good = one() && good;
    }
    return good;
  }
  function either(): boolean {
    let good = both();
    while (words[at] === 'OR') {
      at += 1;
      good = both() || good;
    }
    return good;
  }

  const good = either();
  return good && at === words.length;
}

type Judged = { name: string; version: string; licence: string | null };

/** One sentence for each package that may not be part of the product, and for each exception that nothing needs any more. */
export function licenceFaults(
  packages: readonly Judged[],
  exceptions: Readonly<Record<string, { licence: string | null; reason: string }>> = EXCEPTIONS,
): string[] {
  const used = new Set<string>();
  const refused = packages.filter(({ name, licence }) => {
    if (licence !== null && isAllowed(licence)) return false;
    const exception = exceptions[name];
    if (exception?.licence !== licence) return true;
    used.add(name);
    return false;
  });
  return [
    ...refused.map(
      ({ name, version, licence }) =>
        `${name} ${version} is under ${licence ?? 'no licence that it names'}: choose another package, or add it to scripts/licences/policy.ts with the reason.`,
    ),
    ...Object.keys(exceptions)
      .filter((name) => !used.has(name))
      .map((name) => `scripts/licences/policy.ts excepts ${name}, which needs no exception.`),
  ];
}

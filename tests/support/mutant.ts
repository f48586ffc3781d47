import type { Plugin } from 'vitest/config';

/**
 * A deliberate error. The named tests must fail with it; an `equivalent` one has no observable effect, so they must
 * pass.
 */
export type Mutant = {
  /** Relative to the root of the project. */
  file: string;
  name: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
  tests: readonly string[];
  equivalent?: true;
};

/**
 * Applies the mutant of the setting MUTANT to its file while the tests load it: nothing is written to disk or to the
 * module cache.
 */
export function mutantPlugin(serialized: string | undefined): Plugin[] {
  if (serialized === undefined) return [];
  const { file, from, to } = JSON.parse(serialized) as Mutant;
  const isMutated = (id: string) => id.split('?')[0]?.endsWith(`/${file}`);
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      api: { vitest: { ignoreFsModuleCache: true } },
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (isMutated(id) ? false : undefined)),
      transform: (code, id) => (isMutated(id) ? code.replace(from, () => to) : undefined),
    },
  ];
}

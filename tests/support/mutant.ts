/** A deliberate error. The tests named must fail with it; an `equivalent` one changes nothing that can be seen, so they must pass. */
export type Mutant = {
  /** From the root of the project. */
  file: string;
  name: string;
  /** Stands once in the file. */
  from: string;
  to: string;
  tests: readonly string[];
  equivalent?: true;
};

type Plugin = { name: string; enforce: 'pre'; transform: (code: string, id: string) => string | undefined };

/** Puts the error of the setting MUTANT into its file while the tests load it: nothing is written to the disk. */
export function mutating(given: string | undefined): Plugin[] {
  if (given === undefined) return [];
  const { file, from, to } = JSON.parse(given) as Mutant;
  return [
    {
      name: 'mutant',
      enforce: 'pre',
      transform: (code, id) => (id.split('?')[0]?.endsWith(`/${file}`) ? code.replace(from, () => to) : undefined),
    },
  ];
}

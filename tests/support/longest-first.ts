import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, most of it waiting: begun last, it would keep a whole run for itself at the end. */
const LONGEST = [
  'tests/processes/killed.test.ts',
  'src/features/market/server/coingecko-pace.test.ts',
  'tests/processes/shutdown.test.ts',
  'src/features/metrics/server/onchain-failures.test.ts',
  'tests/processes/refusals.test.ts',
  'src/features/metrics/server/simulated-past.test.ts',
  'tests/processes/beside.test.ts',
  'src/features/narratives/server/narratives.test.ts',
  'tests/processes/roles.test.ts',
  'src/features/market/server/collect.test.ts',
  'tests/processes/lost-database.test.ts',
  'src/features/analysis/server/analysis.test.ts',
  'tests/processes/full-disk.test.ts',
  'tests/processes/check-live.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONGEST.length : place;
};

/** Files in the usual order, but the longest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest tests, which mostly wait: started last, they would extend the whole run. */
const LONGEST = [
  'tests/processes/shutdown.test.ts',
  'tests/processes/killed.test.ts',
  'src/app/server/jobs-twice.slow.test.ts',
  'tests/processes/saves.test.ts',
  'tests/processes/saved-before-rotation.test.ts',
  'tests/processes/beside.test.ts',
  'src/features/exports/server/exports/making.test.ts',
  'src/features/exports/server/exports/contents.test.ts',
  'src/features/payments/server/billing/grants.test.ts',
  'src/features/market/server/metrics/service/liquidations.test.ts',
  'src/features/alerts/server/alerts/judge.test.ts',
  'src/features/inflation/server/sources.test.ts',
  'src/features/market/server/market/collect.test.ts',
  'src/features/analysis/server/analysis/analysts.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONGEST.length : place;
};

/** Files in the usual order, but the slowest first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
    const usual = await super.sort(files);
    return usual.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

import { afterAll, beforeAll } from 'vitest';

import { type Started, start } from './start.ts';

/** One product for all tests of a file, or of the `describe` it is called in. */
export function fileProduct(options: Parameters<typeof start>[0] = {}): Started {
  const s = {} as Started;
  beforeAll(async () => {
    Object.assign(s, await start(options));
  }, 120_000);
  afterAll(() => s.stop());
  return s;
}

import { afterAll, beforeAll } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

/** One simulated world for all tests of a file. */
export function fileSandbox(now?: number): Sandbox {
  const sandbox = {} as Sandbox;
  beforeAll(async () => {
    Object.assign(sandbox, await startSandbox({ seed: 7, ...(now === undefined ? {} : { now }) }));
  });
  afterAll(() => sandbox.close());
  return sandbox;
}

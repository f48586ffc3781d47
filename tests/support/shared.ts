import { afterAll, beforeAll } from 'vitest';

/** What the tests of a file or of a `describe` share: opened before the first and closed after the last. */
export function shared<T extends { close: () => Promise<void> }>(open: () => Promise<T>): T {
  const held = {} as T;
  beforeAll(async () => void Object.assign(held, await open()));
  afterAll(() => held.close());
  return held;
}

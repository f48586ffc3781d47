import type { ExportsContext } from './context.ts';

export type { ExportsContext } from './context.ts';

export type Exports = { ctx: ExportsContext; stop: () => Promise<void> };

export function createExports(deps: ExportsContext): Exports {
  return { ctx: deps, stop: async () => undefined };
}

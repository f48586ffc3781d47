import type { ExportsContext } from './context.ts';

export type { ExportsContext } from './context.ts';

export type Exports = { ctx: ExportsContext; stop: () => Promise<void> };

export function createExports(deps: Omit<ExportsContext, 'wake'>): Exports {
  return { ctx: { ...deps, wake: async () => undefined }, stop: async () => undefined };
}

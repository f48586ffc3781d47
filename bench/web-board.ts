import type { Benchmark } from './benchmark.ts';
export const webBoard: Benchmark = { names: ['x'], run: async () => {} };

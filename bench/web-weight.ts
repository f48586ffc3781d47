import type { Benchmark } from './benchmark.ts';
export const webWeight: Benchmark = { names: ['x'], run: async () => {} };

export type { ApiCall } from './call.ts';
export { apiCalls } from './calls.ts';
export type { ApiDeps } from './context.ts';
export { apiInput } from './http/input.ts';
export { type ApiReads, createApiReads } from './reads.ts';

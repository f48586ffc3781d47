export { type ApiCall, apiCalls } from './calls.ts';
export type { ApiDeps } from './context.ts';

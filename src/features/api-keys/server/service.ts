import type { ApiKeysContext } from './context.ts';
import { createGate, type Gate } from './gate.ts';

export type { Admission, Gate, KeyCaller } from './gate.ts';

export type ApiKeys = {
  ctx: ApiKeysContext;
  gate: Gate;
  /** Hears what other processes end and spend. */
  start: () => Promise<void>;
  /** Writes what was counted and gives back what was not spent. */
  stop: () => Promise<void>;
};

/** API keys of one process. */
export function createApiKeys(ctx: ApiKeysContext): ApiKeys {
  return { ctx, gate: createGate(ctx), start: async () => undefined, stop: async () => undefined };
}

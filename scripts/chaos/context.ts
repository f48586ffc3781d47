import { setTimeout as sleep } from 'node:timers/promises';

import { type CallOptions, type CallResponse, call } from './call.ts';
import type { ExternalServices } from './external-services.ts';
import type { Fleet } from './fleet.ts';
import type { Cluster } from './postgres.ts';

/** The state of one run. */
export type ChaosContext = {
  seed: number;
  folder: string;
  cluster: Cluster;
  fleet: Fleet;
  services: ExternalServices;
  /** Entry point for users: the balancer. */
  origin: string;
  startedAt: Date;
  /** When the clocks were moved forward; null before. */
  endedAt: Date | null;
  /** How often connections were closed under a worker that survived. */
  interruptions: number;
  outcomes: OutcomeCounts;
  log: (line: string) => void;
};

/** Counts of acknowledged, refused and unknown outcomes. */
export class OutcomeCounts {
  readonly accepted = new Map<string, number>();
  readonly unknown = new Map<string, number>();
  readonly refused = new Map<string, number>();

  static #add(counts: Map<string, number>, action: string): void {
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  recordAccepted(action: string): void {
    OutcomeCounts.#add(this.accepted, action);
  }
  recordUnknown(action: string): void {
    OutcomeCounts.#add(this.unknown, action);
  }
  recordRefused(action: string): void {
    OutcomeCounts.#add(this.refused, action);
  }
}

/** A simulated user who acts until stopped, and then verifies the result. */
export type Client = {
  name: string;
  /** Stays until the very end, like an open page. */
  runsUntilEnd?: true;
  prepare?: () => Promise<void>;
  run: (signal: AbortSignal) => Promise<void>;
  /** Runs when everything has recovered and before the clocks are moved. */
  afterRecovery?: () => Promise<void>;
  /** What was lost, duplicated or wrong, one line each. */
  check: () => Promise<string[]>;
};

/** The response if accepted, or null: refused, or unknown. A server error counts as unknown. */
export async function attempt(
  { origin, outcomes }: Pick<ChaosContext, 'origin' | 'outcomes'>,
  action: string,
  path: string,
  options: CallOptions,
): Promise<CallResponse | null> {
  const response = await call(origin, path, options).catch(() => null);
  if (!response || response.status >= 500) outcomes.recordUnknown(action);
  else if (response.status >= 400) outcomes.recordRefused(`${action} ${response.status}`);
  else {
    outcomes.recordAccepted(action);
    return response;
  }
  return null;
}

/** Retries until accepted: for the setup before the run, and for the checks after it. */
export async function callUntilAccepted(
  context: Pick<ChaosContext, 'origin'>,
  path: string,
  options: CallOptions = {},
): Promise<CallResponse> {
  let lastError: unknown;
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      const response = await call(context.origin, path, options);
      if (response.status < 400) return response;
      lastError = new Error(`${path} was answered with ${response.status}: ${response.body.toString().slice(0, 300)}`);
      if (response.status < 500 && response.status !== 429) throw lastError;
    } catch (error) {
      if (error === lastError) throw error;
      lastError = error;
    }
    await sleep(500);
  }
  throw lastError;
}

/** Repeats `work`, `pauseMs` apart. */
export async function repeat(signal: AbortSignal, pauseMs: number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

export async function waitUntil(limitMs: number, condition: () => Promise<boolean>): Promise<number | null> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < limitMs) {
    if (await condition().catch(() => false)) return performance.now() - startedAt;
    await sleep(250);
  }
  return null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosContext } from './context.ts';
import { INJECTORS, INTERRUPTING } from './injectors.ts';
import { createRandom, type SeededRandom } from './random.ts';

export type DisruptionKind = keyof typeof INJECTORS;
export const DISRUPTION_KINDS = Object.keys(INJECTORS) as DisruptionKind[];

/** One planned fault; all random choices are made when the run is planned. */
export type Disruption = { atMs: number; kind: DisruptionKind; durationMs: number; random: SeededRandom };

/** Every kind occurs once before any occurs again. */
export function planDisruptions(seed: number, minutes: number, kinds: readonly DisruptionKind[]): Disruption[] {
  const random = createRandom(seed, 1);
  const disruptions: Disruption[] = [];
  const end = minutes * 60_000;
  for (let atMs = 0; ; )
    for (const kind of random.shuffled(kinds)) {
      if (atMs >= end) return disruptions;
      const [from, to] = INJECTORS[kind].durationRangeMs;
      disruptions.push({
        atMs,
        kind,
        durationMs: random.integer(from, to),
        random: createRandom(seed, 100 + disruptions.length),
      });
      atMs += random.integer(2500, 6500);
    }
}

/** Runs every disruption at its time, never two on the same target at once. Resolves when the last has ended. */
export async function runDisruptions(
  context: ChaosContext,
  disruptions: readonly Disruption[],
  signal: AbortSignal,
): Promise<Map<DisruptionKind, number>> {
  const counts = new Map<DisruptionKind, number>();
  const pending = new Map<string, Promise<void>>();
  const startedAt = performance.now();

  async function runOne({ kind, durationMs, random }: Disruption, seed: number): Promise<void> {
    if (INTERRUPTING.has(kind)) context.interruptions += context.fleet.workers.length;
    try {
      const summary = await INJECTORS[kind].run({ context, durationMs, random });
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      context.log(`act ${seed + 1} ${kind}: ${summary}`);
    } catch (error) {
      context.log(`act ${seed + 1} ${kind} could not be played to its end: ${String(error)}`);
    }
  }

  for (const [i, each] of disruptions.entries()) {
    await sleep(Math.max(0, each.atMs - (performance.now() - startedAt)), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const target = INJECTORS[each.kind].target(context, createRandom(context.seed, 100 + i));
    pending.set(
      target,
      (pending.get(target) ?? Promise.resolve()).then(() => runOne(each, i)),
    );
  }
  await Promise.all(pending.values());
  return counts;
}

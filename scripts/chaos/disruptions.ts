import { setTimeout as sleep } from 'node:timers/promises';

import { createDice, type Dice } from './dice.ts';
import type { Night } from './night.ts';
import { INTERRUPTING, WAYS } from './ways.ts';

export type Kind = keyof typeof WAYS;
export const KINDS = Object.keys(WAYS) as Kind[];

/** One planned fault; all random choices are made when the night is planned. */
export type Act = { atMs: number; kind: Kind; lastsMs: number; dice: Dice };

/** Every kind occurs once before any occurs again. */
export function planActs(seed: number, minutes: number, kinds: readonly Kind[]): Act[] {
  const dice = createDice(seed, 1);
  const acts: Act[] = [];
  const end = minutes * 60_000;
  for (let atMs = 0; ; )
    for (const kind of dice.shuffled(kinds)) {
      if (atMs >= end) return acts;
      const [from, to] = WAYS[kind].lasts;
      acts.push({ atMs, kind, lastsMs: dice.whole(from, to), dice: createDice(seed, 100 + acts.length) });
      atMs += dice.whole(2500, 6500);
    }
}

/** Runs every act at its time, never two on the same target at once. Resolves when the last has ended. */
export async function play(night: Night, acts: readonly Act[], signal: AbortSignal): Promise<Map<Kind, number>> {
  const counts = new Map<Kind, number>();
  const busy = new Map<string, Promise<void>>();
  const begun = performance.now();

  async function act({ kind, lastsMs, dice }: Act, seed: number): Promise<void> {
    if (INTERRUPTING.has(kind)) night.interruptions += night.fleet.workers.length;
    try {
      const done = await WAYS[kind].run({ night, lastsMs, dice });
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      night.tell(`act ${seed + 1} ${kind}: ${done}`);
    } catch (error) {
      night.tell(`act ${seed + 1} ${kind} could not be played to its end: ${String(error)}`);
    }
  }

  for (const [i, each] of acts.entries()) {
    await sleep(Math.max(0, each.atMs - (performance.now() - begun)), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const on = WAYS[each.kind].on(night, createDice(night.seed, 100 + i));
    busy.set(
      on,
      (busy.get(on) ?? Promise.resolve()).then(() => act(each, i)),
    );
  }
  await Promise.all(busy.values());
  return counts;
}

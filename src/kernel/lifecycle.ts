export type Phase = 'starting' | 'serving' | 'stopping';

/** The phase of a process, for health checks. */
export type Lifecycle = { phase: () => Phase; serving: () => void; stopping: () => void };

/** A process that is stopping never serves again. */
export function createLifecycle(): Lifecycle {
  let phase: Phase = 'starting';
  return {
    phase: () => phase,
    serving() {
      if (phase === 'starting') phase = 'serving';
    },
    stopping() {
      phase = 'stopping';
    },
  };
}

export type Phase = 'starting' | 'serving' | 'stopping';

/** How far a process is between its start and its end, for those who ask whether it takes requests. */
export type Lifecycle = { phase: () => Phase; serving: () => void; stopping: () => void };

/** Nothing that began to stop serves again. */
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

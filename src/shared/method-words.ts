import type { Method } from './provenance.ts';

export const METHOD_WORDS: Record<Method, string> = {
  measured: 'Measured: as reported by the source',
  computed: 'Computed by us from the source',
  default: 'Default, not measured',
  demo: 'Demo: the simulated market',
};

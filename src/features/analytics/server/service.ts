export { fromPast } from './context.ts';
export { readMatrix } from './service/matrix.ts';
export { readRisk } from './service/risk.ts';
export { readSummary } from './service/summary.ts';

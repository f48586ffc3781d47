export { fromPast } from './context.ts';
export { readMatrix, readRisk } from './service/risk.ts';
export { readSummary } from './service/summary.ts';

export { seriesNamed } from './series.ts';
export { readHistoryReply } from './service/read.ts';

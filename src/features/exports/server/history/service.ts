export { seriesNamed } from './series.ts';
export { answerHistory } from './service/read.ts';

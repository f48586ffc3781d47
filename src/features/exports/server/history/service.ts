export { seriesNamed } from './series.ts';
export { answerHistory } from './service/answer.ts';

export { answerHistory } from './service/answer.ts';

export { readHistory } from './service/read.ts';

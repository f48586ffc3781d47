export { type CurrentFigure, findFigure } from './current.ts';
export { figureHistory, type HistoryDeps } from './history.ts';

import type { FastifyInstance } from 'fastify';
import { getFigure } from '#features/site/contract/figures.ts';
import { AppError } from '#kernel/errors.ts';
import { route } from '#kernel/route.ts';
import { figureHistory, findFigure, type HistoryDeps } from './service.ts';

export function figureRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  route(app, getFigure, async ({ params: { metric }, caller }) => {
    const figure = await findFigure(deps, metric);
    if (!figure) throw new AppError('not_found', 'Unknown figure');
    const history = await figureHistory(deps, metric, caller?.plan ?? null);
    return { timestamp: deps.now().toISOString(), ...figure, history };
  });
}

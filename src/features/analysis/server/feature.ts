import { collectionTopic, demoHistoryTopic, predictionSet } from '#features/analysis/contract/analysis.ts';
import { backtest, recordTopic } from '#features/analysis/contract/predictions.ts';
import { type FeatureContext, feature } from '#kernel/feature.ts';
import { ownedBy, QUEUE } from '#kernel/personal-data.ts';
import type { Scheduler } from '#kernel/scheduler.ts';
import { findStandIn } from '#shared/stand-ins.ts';

import { analysisJobs, analysisSources } from './analysis/jobs.ts';
import { analysisRoutes } from './analysis/routes.ts';
import { type Analysis, createAnalysis } from './analysis/service.ts';
import { predictionsJobs } from './predictions/jobs.ts';
import { predictionsRoutes } from './predictions/routes.ts';
import { createPredictions, type Predictions } from './predictions/service.ts';

type Routes = Omit<Parameters<typeof analysisRoutes>[1], 'predictions'> & {
  predictions: Predictions;
  models: {
    predictions: Parameters<typeof analysisRoutes>[1]['predictions'];
    backtest: Parameters<typeof predictionsRoutes>[2];
  };
};

export const analysis = feature({
  name: 'analysis',
  create(parts: FeatureContext & Omit<Parameters<typeof createAnalysis>[0], 'predictions'>) {
    const predictions = createPredictions(parts);
    return { predictions, analysis: createAnalysis({ ...parts, predictions }) };
  },
  topics: [recordTopic, collectionTopic, demoHistoryTopic],
  // The demo uses a stand-in for model providers, so no vendor is named.
  sources: (config, mode) =>
    analysisSources(config).map((source) => {
      const standIn = mode === 'demo' && findStandIn(source.id);
      if (!standIn) return source;
      return { ...source, name: standIn.name, licence: 'Simulated: no vendor is contacted.', attribution: null };
    }),
  readModels: ({ json }) => ({
    predictions: json('predictions', predictionSet, '/api/predictions'),
    backtest: json('backtest', backtest, '/api/backtest'),
  }),
  routes(app, { models, scheduler, db, now, predictions, analysis: analysts }: Routes) {
    analysisRoutes(app, { scheduler, predictions: models.predictions, db, now, analysis: analysts });
    predictionsRoutes(app, predictions, models.backtest);
  },
  personalData: [
    ownedBy('league_forecasters', 'joined_at name', { id: QUEUE }),
    {
      table: 'predictions',
      joined: { column: 'forecaster_id', table: 'league_forecasters', key: 'id', of: 'user_id' },
      shown: 'issued_at asset horizon resolves_at up flat down ranges price outcome realised',
      hidden: Object.fromEntries(
        'seq analysis_id analyst model imputed band climatology persistence trailing_ranges state outcome_seq outcome_at forecaster_id'
          .split(' ')
          .map((column) => [column, QUEUE]),
      ),
    },
  ],
  jobs: (parts: { predictions: Predictions; analysis: Analysis; scheduler: () => Scheduler }) => [
    ...predictionsJobs(parts.predictions),
    ...analysisJobs(parts.analysis, parts.scheduler),
  ],
});

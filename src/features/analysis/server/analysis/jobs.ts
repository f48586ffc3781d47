import type { Config } from '#kernel/config.ts';
import { defineJob, type Job, noPayload, type Scheduler } from '#kernel/scheduler.ts';
import type { SourceDescriptor } from '#kernel/source-set.ts';
import { configuredProviders } from './providers.ts';
import type { Analysis } from './service.ts';

/** Every outside source of this feature. */
export const analysisSources = (config: Pick<Config, 'AI_PROVIDERS'>): SourceDescriptor[] =>
  configuredProviders(config).map(({ source }) => source);

const HOUR_MS = 3_600_000;
const MISSED_MS = 15 * 60_000;

/** Runs the analysts: after each full collection, and when one was missed. */
export function analysisJobs(analysis: Analysis, scheduler: () => Scheduler): Job[] {
  const { config, mode, now } = analysis.ctx;
  let replayFailedAt = -Infinity;
  /** The first replay follows the price history within a minute; after a failure it waits for the hourly schedule. */
  async function askForFirstReplay(): Promise<void> {
    const hasFailed = now().getTime() - replayFailedAt < HOUR_MS;
    if (mode === 'live' && !hasFailed && !(await analysis.hasReplay())) await scheduler().send('analysis.replay');
  }
  return [
    defineJob({
      name: 'analysis.run',
      about: 'Runs every analyst and records their calls',
      exclusive: true,
      retryLimit: 1,
      expireSeconds: 600,
      after: 'market.collect',
      reads: analysisSources(config).map(({ id }) => id),
      payload: noPayload,
      run: async (_, signal) => {
        await analysis.step('analysis', () => analysis.run(signal));
        await scheduler().send('analysis.grade');
      },
    }),
    defineJob({
      name: 'analysis.grade',
      isAutomaticOnly: 'Final step of a collection, started by analysis.run.',
      about: 'Completes a collection: grades due calls and rebuilds the track record',
      exclusive: true,
      retryLimit: 1,
      payload: noPayload,
      run: () =>
        analysis.step('backtest', async () => {
          await analysis.ctx.predictions.resolve();
          await analysis.ctx.predictions.score();
        }),
    }),
    defineJob({
      name: 'analysis.replay',
      about: 'Replays the built-in analyst on stored daily candles after each new week of history',
      schedule: ['29 * * * *'],
      exclusive: true,
      retryLimit: 0,
      expireSeconds: 600,
      payload: noPayload,
      run: async (_, signal) => {
        try {
          await analysis.replay(signal);
        } catch (error) {
          replayFailedAt = now().getTime();
          throw error;
        }
      },
    }),
    defineJob({
      name: 'analysis.coin-ranges',
      about: 'Issues daily price ranges for every coin and grades expired ones',
      schedule: ['5-59/10 * * * *'],
      exclusive: true,
      retryLimit: 0,
      expireSeconds: 600,
      payload: noPayload,
      run: async (_, signal) => {
        // The demo's record takes precedence, as its pages wait for it.
        if (analysis.preparing() === null) await analysis.makeCoinRanges(signal);
      },
    }),
    defineJob({
      name: 'analysis.watch',
      about: 'Runs the first analysis once history is available, and any missed run',
      schedule: ['* * * * *'],
      exclusive: true,
      retryLimit: 0,
      expireSeconds: 1800,
      payload: noPayload,
      run: async (_, signal) => {
        await askForFirstReplay();
        // The first ranges follow the price history within a minute.
        if (analysis.coinRangesRecord().coins === 0) await scheduler().send('analysis.coin-ranges');
        const last = await analysis.lastIssuedAt();
        const due = last && scheduler().nextRun(config.FULL_COLLECTION_CRON, last);
        // The collection itself triggers its analysis: this only covers a missed one.
        if (due && now().getTime() - due.getTime() < MISSED_MS) return;
        if ((await analysis.isReady()) && (await analysis.writePast(signal))) await scheduler().send('analysis.run');
      },
    }),
  ];
}

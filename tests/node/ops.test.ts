import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readExposition, type Scrape } from '#tests/support/exposition.ts';
import { fileProduct } from '#tests/support/for-file.ts';

import { ROOT } from './support.ts';

type Rule = {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
};
type Panel = { id: number; title: string; targets: { expr: string; legendFormat: string }[] };

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const rules = (): Rule[] =>
  (parse(read('ops/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const boards = () =>
  globSync('ops/grafana/*.json', { cwd: ROOT }).map((path) => ({
    path,
    ...(JSON.parse(read(path)) as { uid: string; title: string; panels: Panel[] }),
  }));
const expressions = () => [
  ...rules().map(({ alert, expr }) => ({ where: alert, expr })),
  ...boards().flatMap(({ path, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${path} › ${title}`, expr }))),
  ),
];

const WORDS = new Set(
  'sum max absent rate increase time topk histogram_quantile by on and or le status route source outcome channel state duty instance job job_name network replica shard of type up'.split(
    ' ',
  ),
);
/** The metric names in an expression, with the labels and values it selects. */
function metricsIn(expr: string): { name: string; matchers: [string, string][] }[] {
  const metrics = [...expr.matchAll(/([a-z_][a-z0-9_]*)(?:\{([^}]*)\})?/g)];
  return metrics
    .filter(([, name = '']) => name.includes('_') && !WORDS.has(name))
    .map(([, name = '', labels = '']) => ({
      name,
      matchers: [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']): [string, string] => [
        key,
        value,
      ]),
    }));
}

const s = fileProduct();
let scrape: Scrape;
beforeAll(async () => {
  const url = `http://127.0.0.1:${(await s.product.listen()).port}`;
  await s.product.work();
  await s.product.scheduler.runManually('market.listing');
  await fetch(`${url}/api/prices`);
  // A database that is busy for three seconds is missing from a scrape.
  do {
    s.advance(60_000);
    scrape = readExposition(await (await fetch(`${url}/metrics`)).text());
  } while (scrape.value('meridian_up_database') !== 1);
}, 90_000);

/** Metrics that need a chain, a replica or an analysis: covered by other tests, or without data in this one. */
const TIME_DEPENDENT_METRICS: ReadonlySet<string> = new Set([
  'meridian_payment_watcher_last_look_timestamp_seconds',
  'meridian_payment_watcher_lag_blocks',
  'meridian_database_replica_lag_seconds',
  'meridian_database_replay_lag_seconds',
  'meridian_collection_last_success_timestamp_seconds',
  'meridian_collection_last_duration_seconds',
]);

describe('ops', () => {
  test('every metric named in a dashboard or an alert is in the scrape of a running product', () => {
    const names = expressions().flatMap(({ where, expr }) => metricsIn(expr).map(({ name }) => ({ where, name })));
    expect(names.length).toBeGreaterThan(60);
    const known = new Set([
      ...scrape.types.keys(),
      ...[...scrape.series.keys()].map((key) => key.slice(0, key.indexOf('{'))),
    ]);
    const unknown = names.filter(({ name }) => !known.has(name) && !TIME_DEPENDENT_METRICS.has(name));
    expect(unknown).toEqual([]);
    const source = readFileSync(join(ROOT, 'src/features/operations/server/monitoring/stored-figures.ts'), 'utf8');
    for (const name of TIME_DEPENDENT_METRICS) expect(source).toContain(`'${name}'`);
  });

  test('every label queried exists on its metric', () => {
    for (const { where, expr } of expressions())
      for (const { name, matchers } of metricsIn(expr))
        for (const [key] of matchers) {
          const series = [...scrape.series.keys()].filter((each) => each.startsWith(`${name}{`));
          if (series.length > 0) expect(series.join('\n'), `${where}: ${name}`).toContain(`${key}=`);
        }
  });

  test('aggregation labels exist on the metric too, and a job is never queried by its scrape label', () => {
    for (const { where, expr } of expressions()) {
      const names = metricsIn(expr).filter(({ name }) => !TIME_DEPENDENT_METRICS.has(name));
      const series = [...scrape.series.keys()].filter((key) => names.some(({ name }) => key.startsWith(`${name}{`)));
      for (const [, list = ''] of expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g))
        for (const label of list.split(/, */).filter((each) => each !== 'instance'))
          if (series.length > 0) expect(series.join('\n'), `${where}: by ${label}`).toContain(`${label}=`);
      expect(expr.replace('up{job="meridian"}', ''), where).not.toMatch(/\bjob\b/);
    }
  });

  test('alert rules are complete: an expression with balanced brackets, a duration, a severity and a sentence', () => {
    expect(rules().length).toBeGreaterThan(20);
    expect(new Set(rules().map(({ alert }) => alert)).size).toBe(rules().length);
    for (const { alert, expr, for: after, labels, annotations } of rules()) {
      expect(expr.split('(').length, alert).toBe(expr.split(')').length);
      expect(after, alert).toMatch(/^\d+[mh]$/);
      expect(['critical', 'warning'], alert).toContain(labels.severity);
      expect(annotations.summary, alert).toMatch(/^[A-Z].{10,}[^.]$/);
    }
  });

  test('the runbook has one line per alert, and no others', () => {
    const documented = [...read('docs/operations.md').matchAll(/^\| `(Meridian\w+)` \|/gm)].map(([, name]) => name);
    expect(documented).toEqual(rules().map(({ alert }) => alert));
  });

  test('dashboards are complete: an identity, panels with unique numbers and something to display', () => {
    expect(
      boards()
        .map(({ uid }) => uid)
        .toSorted(),
    ).toEqual(['meridian-money', 'meridian-overview']);
    for (const { path, panels } of boards()) {
      expect(new Set(panels.map(({ id }) => id)).size, path).toBe(panels.length);
      for (const { title, targets } of panels)
        for (const { expr } of targets) expect(expr.split('(').length, title).toBe(expr.split(')').length);
    }
  });

  test('the scrape configuration names the adjacent rules', () => {
    const config = parse(read('ops/prometheus/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; metrics_path: string }[];
    };
    for (const file of config.rule_files) expect(existsSync(join(ROOT, 'ops/prometheus', file)), file).toBe(true);
    expect(config.scrape_configs).toMatchObject([{ job_name: 'meridian', metrics_path: '/metrics' }]);
  });
});

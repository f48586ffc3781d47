/** A scrape parsed like Prometheus: anything invalid or ambiguous throws. */
export type Scrape = {
  types: ReadonlyMap<string, string>;
  /** By name and labels, verbatim. */
  series: ReadonlyMap<string, number>;
  /** The sum over the series of a name with these labels. */
  value: (name: string, labels?: Record<string, string>) => number | undefined;
};

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const TARGET_LABELS = new Set(['job', 'instance']);
const SAMPLE_LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL_PAIR = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

function parseLabels(text: string, line: string): Map<string, string> {
  const labels = new Map<string, string>();
  LABEL_PAIR.lastIndex = 0;
  while (LABEL_PAIR.lastIndex < text.length) {
    const [, key = '', value = ''] = LABEL_PAIR.exec(text) ?? [];
    if (key === '' || labels.has(key)) throw new Error(`labels: ${line}`);
    if (TARGET_LABELS.has(key))
      throw new Error(`a label that Prometheus gives itself and turns into exported_${key}: ${line}`);
    labels.set(key, value);
  }
  return labels;
}

export function readExposition(text: string): Scrape {
  const withHelp = new Set<string>();
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  const samples: { name: string; labels: Map<string, string>; value: number }[] = [];
  let family = '';
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword) {
      if (!METRIC_NAME.test(name)) throw new Error(`name: ${line}`);
      if (keyword === 'HELP' ? withHelp.has(name) : types.has(name)) throw new Error(`twice: ${line}`);
      if (keyword === 'HELP') withHelp.add(name);
      else types.set(name, rest);
      family = name;
      continue;
    }
    const [, sampleName = '', labelText = '', number = ''] = SAMPLE_LINE.exec(line) ?? [];
    const base = types.get(family) === 'histogram' ? sampleName.replace(/_(bucket|sum|count)$/, '') : sampleName;
    if (base !== family || !types.has(family) || !withHelp.has(family)) throw new Error(`without its family: ${line}`);
    const value = Number(number.replace(/^([+-]?)Inf$/, '$1Infinity'));
    if (number !== 'NaN' && Number.isNaN(value)) throw new Error(`number: ${line}`);
    const labels = parseLabels(labelText, line);
    const key = `${sampleName}{${[...labels]
      .map(([k, v]) => `${k}=${v}`)
      .toSorted()
      .join(',')}}`;
    if (series.has(key)) throw new Error(`twice: ${line}`);
    series.set(key, value);
    samples.push({ name: sampleName, labels, value });
  }
  return {
    types,
    series,
    value(name, labels = {}) {
      const matches = samples.filter(
        (each) => each.name === name && Object.entries(labels).every(([key, text]) => each.labels.get(key) === text),
      );
      return matches.length === 0 ? undefined : matches.reduce((sum, each) => sum + each.value, 0);
    },
  };
}

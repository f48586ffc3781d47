/** A scrape parsed like Prometheus: anything invalid or ambiguous throws. */
export type Scrape = {
  types: ReadonlyMap<string, string>;
  /** By name and labels, verbatim. */
  series: ReadonlyMap<string, number>;
  /** The sum over the series of a name with these labels. */
  value: (name: string, labels?: Record<string, string>) => number | undefined;
};

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const TARGET = new Set(['job', 'instance']);
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const PAIR = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

function labelsOf(text: string, line: string): Map<string, string> {
  const labels = new Map<string, string>();
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < text.length) {
    const [, key = '', value = ''] = PAIR.exec(text) ?? [];
    if (key === '' || labels.has(key)) throw new Error(`labels: ${line}`);
    if (TARGET.has(key))
      throw new Error(`a label that Prometheus gives itself and turns into exported_${key}: ${line}`);
    labels.set(key, value);
  }
  return labels;
}

export function readExposition(text: string): Scrape {
  const helps = new Set<string>();
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  const samples: { name: string; labels: Map<string, string>; value: number }[] = [];
  let family = '';
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (what) {
      if (!NAME.test(name)) throw new Error(`name: ${line}`);
      if (what === 'HELP' ? helps.has(name) : types.has(name)) throw new Error(`twice: ${line}`);
      if (what === 'HELP') helps.add(name);
      else types.set(name, rest);
      family = name;
      continue;
    }
    const [, sampled = '', labelText = '', number = ''] = SAMPLE.exec(line) ?? [];
    const base = types.get(family) === 'histogram' ? sampled.replace(/_(bucket|sum|count)$/, '') : sampled;
    if (base !== family || !types.has(family) || !helps.has(family)) throw new Error(`without its family: ${line}`);
    const value = Number(number.replace(/^([+-]?)Inf$/, '$1Infinity'));
    if (number !== 'NaN' && Number.isNaN(value)) throw new Error(`number: ${line}`);
    const labels = labelsOf(labelText, line);
    const key = `${sampled}{${[...labels]
      .map(([k, v]) => `${k}=${v}`)
      .toSorted()
      .join(',')}}`;
    if (series.has(key)) throw new Error(`twice: ${line}`);
    series.set(key, value);
    samples.push({ name: sampled, labels, value });
  }
  return {
    types,
    series,
    value(name, labels = {}) {
      const found = samples.filter(
        (each) => each.name === name && Object.entries(labels).every(([key, text]) => each.labels.get(key) === text),
      );
      return found.length === 0 ? undefined : found.reduce((sum, each) => sum + each.value, 0);
    },
  };
}

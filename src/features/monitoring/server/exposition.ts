/** One figure with its series, as Prometheus reads them. */
export type Family = {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: Sample[];
};
type Sample = { suffix?: '_bucket' | '_sum' | '_count'; labels?: Record<string, string>; value: number };

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
const numberOf = (value: number) => {
  if (Number.isFinite(value)) return `${value}`;
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
};

function lineOf(name: string, { suffix, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${suffix ?? ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberOf(value)}`;
}

/** The text format of Prometheus, version 0.0.4; a figure without series is left out. */
export const expositionOf = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => lineOf(name, sample))].join('\n'),
    )
    .map((text) => `${text}\n`)
    .join('');

/** A gauge without labels; absent while there is no value. */
export const gauge = (name: string, help: string, value: number | null): Family => ({
  name,
  help,
  type: 'gauge',
  samples: value === null ? [] : [{ value }],
});

/** A gauge with one series per row. */
export const gauges = (
  name: string,
  help: string,
  rows: readonly { labels: Record<string, string>; value: number | null }[],
): Family => ({
  name,
  help,
  type: 'gauge',
  samples: rows.flatMap(({ labels, value }) => (value === null ? [] : [{ labels, value }])),
});

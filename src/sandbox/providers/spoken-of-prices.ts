import type { Temper } from '#sandbox/market/forecasts.ts';

type Month = { period: string; mom: number | null; core_mom: number | null };
type Asked = {
  task?: string;
  history?: Month[];
  nowcast?: { headline: number | null; core: number | null };
  figures?: Record<string, Record<string, unknown> | null>;
};

const SERIES = [
  { of: 'cpi', name: 'consumer prices', month: 'cpiMoM', year: 'cpiYoY' },
  { of: 'pce', name: 'PCE prices', month: 'pceMoM', year: 'pceYoY' },
  { of: 'ppi', name: 'producer prices', month: 'ppiMoM', year: 'ppiYoY' },
] as const;

const percent = (value: unknown, span: string): string[] =>
  typeof value === 'number' ? [`${value > 0 ? '+' : ''}${value.toFixed(1)}% ${span}`] : [];

const rounded = (value: number) => Math.round(value * 100) / 100;

function dataOf(prompt: string): Asked {
  try {
    return JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1)) as Asked;
  } catch {
    return {};
  }
}

/** By temper: near the nowcast, like last month, or more of it. */
function guess(temper: Temper, values: readonly number[], nowcast: number | null): number {
  const last = values.at(-1) ?? 0.2;
  const mean = values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : 0.2;
  if (temper === 'insight') return rounded(nowcast ?? 0.3 * last + 0.7 * mean);
  return rounded(temper === 'momentum' ? 0.7 * last + 0.3 * mean : 1.4 * last);
}

/** What a language model says of consumer prices; undefined when it was asked something else. */
export function spokenOfPrices(temper: Temper, prompt: string): Record<string, unknown> | undefined {
  const { task, history = [], nowcast, figures } = dataOf(prompt);
  if (task === 'inflation_commentary') {
    const told = SERIES.flatMap(({ of, name, month, year }) => {
      const [moM, yoY] = [month, year].map((field) => figures?.[of]?.[field]);
      const parts = [...percent(moM, 'on the month'), ...percent(yoY, 'on the year')];
      return parts.length > 0 ? [`${name} ${parts.join(' and ')}`] : [];
    });
    return { text: `The newest releases leave the picture as it was: ${told.join('; ') || 'no figure is known'}.` };
  }
  if (task !== 'inflation_forecast') return undefined;
  const numbers = (field: 'mom' | 'core_mom') => history.flatMap((month) => month[field] ?? []).slice(-12);
  const prediction = guess(temper, numbers('mom'), nowcast?.headline ?? null);
  return {
    prediction,
    core: guess(temper, numbers('core_mom'), nowcast?.core ?? null),
    confidence: temper === 'bluster' ? 90 : 60,
    reasoning: `Last month was ${numbers('mom').at(-1) ?? 'unknown'}%; that points to ${prediction}%.`,
  };
}

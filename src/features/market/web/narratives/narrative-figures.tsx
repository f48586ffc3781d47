import type { Narrative } from '#features/market/contract/narratives.ts';
import { type FigureMeta, hasOrigin } from '#shared/figures.ts';
import { compact } from '#shared/format.ts';
import { Change } from '#ui/change.tsx';
import { Figure } from '#ui/figure.tsx';

const sigma = (value: number): string => `${value < 0 ? '\u2212' : ''}${Math.abs(value).toFixed(1)}σ`;
const part = (value: number): string => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)}%`;

/** The components of relevance and opportunity in words; unknown ones are omitted. */
function listTerms({ terms }: Narrative): [string, string][] {
  const lines: [string, number | null, (value: number) => string][] = [
    ['Vs. the market', terms.relative_sigma, sigma],
    ['Volume share', terms.volume_share, part],
    ['Abnormal volume', terms.volume_z, sigma],
    ['Breadth', terms.breadth, part],
    ['Annualized volatility', terms.volatility, part],
  ];
  return lines.flatMap(([name, value, words]): [string, string][] => (value === null ? [] : [[name, words(value)]]));
}

type Props = { of: Narrative; className?: string };

export function Relevance({ of, className }: Props) {
  return (
    <Figure
      meta={of.meta['relevance_score']}
      name={`${of.narrative}, relevance`}
      terms={listTerms(of)}
      page={`narrative.${of.id}.relevance`}
      className={className}
    >
      {of.relevance_score !== null && `${Math.round(of.relevance_score * 100)}%`}
    </Figure>
  );
}

export function Volume({ of, className }: Props) {
  return (
    <Figure
      meta={of.meta['total_volume_24h']}
      name={`${of.narrative}, volume 24h`}
      page={`narrative.${of.id}.volume`}
      className={className}
    >
      {of.total_volume_24h !== null && `$${compact(of.total_volume_24h)}`}
    </Figure>
  );
}

export function AverageChange({ of, className }: Props) {
  return (
    <Figure
      meta={of.meta['avg_change_24h']}
      name={`${of.narrative}, average change 24h`}
      page={`narrative.${of.id}.change`}
      className={className}
    >
      {of.avg_change_24h !== null && <Change value={of.avg_change_24h} />}
    </Figure>
  );
}

/** Sentiment, risk and opportunity share the components and age of relevance. */
function metaFor(of: Narrative, metric: string, value: unknown): FigureMeta {
  const meta = of.meta['relevance_score'];
  if (value !== null && hasOrigin(meta)) return { ...meta, metric };
  const reason = meta && !hasOrigin(meta) ? meta.reason : 'Not enough history yet.';
  return { metric, reason };
}

export function Opportunity({ of, className }: Props) {
  const { opportunity_score: score } = of.market_insights;
  const meta = metaFor(of, 'narrative.opportunity', score);
  return (
    <Figure
      meta={meta}
      name={`${of.narrative}, opportunity`}
      terms={listTerms(of)}
      page={`narrative.${of.id}.opportunity`}
      className={className}
    >
      {score !== null && `${Math.round(score)} / 100`}
    </Figure>
  );
}

const RISKS = { low: 'Low', medium: 'Medium', high: 'High' } as const;

export function Risk({ of, className }: Props) {
  const { risk_level: level } = of.market_insights;
  const meta = metaFor(of, 'narrative.risk', level);
  return (
    <Figure meta={meta} name={`${of.narrative}, risk`} terms={listTerms(of)} className={className}>
      {level !== null && RISKS[level]}
    </Figure>
  );
}

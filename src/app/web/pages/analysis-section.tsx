import type { AnalysisCardProps } from '#features/analysis/web/analysis/analysis-card.tsx';
import type { Dashboard } from '#features/site/contract/dashboard.ts';
import { CardFrame } from '#ui/card-frame.tsx';
import { ErrorBoundary } from '#ui/error-boundary.tsx';
import { Link } from '#ui/link.tsx';
import { part } from '#ui/part.tsx';
import { whyEmpty } from '#ui/use-card.ts';

import { ServerMarkup } from '../shell/server-markup.tsx';

/** Above the prices, so its height equals that of the loaded card to the pixel. */
const ANALYSIS = {
  id: 'ai-analysis',
  title: 'AI Market Analysis',
  className: 'min-h-[68.5rem] sm:min-h-[47.5rem] xl:min-h-[39.75rem]',
};

export const Analysis = part<AnalysisCardProps>({
  name: ANALYSIS.title,
  load: async () => (await import('#features/analysis/web/analysis/analysis-card.tsx')).AnalysisCard,
  loading: (
    <ServerMarkup>
      <CardFrame {...ANALYSIS} />
    </ServerMarkup>
  ),
  waits: ({ analysis, failed }) => analysis === undefined && failed === null,
  frame: (state) => <CardFrame {...ANALYSIS}>{state}</CardFrame>,
});

const GRADED = (
  <Link to="/app/track-record" className="inline-flex h-8 items-center text-xs font-medium text-accent hover:underline">
    Every call is graded: track record
  </Link>
);
const NOTHING = () => {};

type Props = {
  data: Dashboard | undefined;
  /** The full response has arrived: missing data does not exist. */
  whole: boolean;
  past?: boolean;
  error?: Error | null;
  onRetry?: () => void;
};

export function AnalysisSection({ data, whole, past = false, error = null, onRetry = NOTHING }: Props) {
  return (
    <ErrorBoundary name={ANALYSIS.title} className={ANALYSIS.className}>
      <Analysis
        {...ANALYSIS}
        analysis={data?.aiAnalysis ?? (whole ? null : undefined)}
        cells={data?.backtestResults?.cells}
        why={whyEmpty(past || undefined)}
        past={past}
        failed={error && { message: 'Error: Failed to fetch dashboard data', detail: error.message }}
        onRetry={onRetry}
        action={GRADED}
      />
    </ErrorBoundary>
  );
}

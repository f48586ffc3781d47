import type { DetailsProps } from './figure-details.tsx';
import { part } from './part.tsx';

/** The popover of a birth certificate. */
export const CERTIFICATE =
  'fixed inset-auto m-0 w-88 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line-strong bg-surface p-0 text-left font-normal whitespace-normal text-ink floating';

export const Details = part<DetailsProps>({
  name: 'Source of this number',
  load: async () => (await import('./figure-details.tsx')).FigureDetails,
  loading: <div className="skel m-4 h-40" />,
});

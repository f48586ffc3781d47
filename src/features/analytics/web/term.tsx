import { Asked } from '#web/ui/asked.tsx';
import { part } from '#web/ui/part.tsx';

const TermText = part<{ metric: string }>({
  name: 'The glossary',
  load: async () => (await import('./term-text.tsx')).TermText,
  loading: <div className="skel m-4 h-16" />,
});

/** A word of the trade that says what it means. */
export const Term = ({ metric, children }: { metric: string; children: string }) => (
  <Asked words="What it means:" className="underline" answer={<TermText metric={metric} />}>
    {children}
  </Asked>
);

import { GLOSSARY } from '#shared/glossary.ts';
import { Meaning } from '#ui/meaning.tsx';

/** A glossary entry. */
export function TermText({ metric }: { metric: string }) {
  const term = GLOSSARY[metric];
  if (!term) return <p className="p-4 text-sm text-ink-3">No glossary entry for this term.</p>;
  return (
    <div className="grid gap-1 p-4 text-xs text-ink-2">
      <p className="text-sm font-semibold text-ink">
        {term.name} <span className="font-normal text-ink-3">({term.unit})</span>
      </p>
      <Meaning of={term} />
    </div>
  );
}

/** What a term means, in one or two sentences. */
export const Explanation = ({ metric }: { metric: string }) => <>{GLOSSARY[metric]?.meaning ?? '–'}</>;

import type { Term } from '#shared/glossary/term.ts';

/** What a figure means, how it is worked out and how it is read, in the words of docs/glossary.md. */
export const Meaning = ({ of: { meaning, formula, reading } }: { of: Term }) => (
  <>
    <p>{meaning}</p>
    <p>
      <span className="text-ink-3">Formula: </span>
      {formula}
    </p>
    {reading && (
      <p>
        <span className="text-ink-3">Reading: </span>
        {reading}
      </p>
    )}
  </>
);

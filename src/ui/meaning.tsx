import type { Term } from '#shared/glossary/term.ts';

/** The meaning, calculation and reading of a figure, in the words of docs/glossary.md. */
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

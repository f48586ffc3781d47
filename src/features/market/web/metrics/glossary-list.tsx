import { GLOSSARY } from '#shared/glossary.ts';

/** Definitions of all metrics, from docs/glossary.md. */
export function GlossaryList() {
  return (
    <dl className="grid gap-x-8 gap-y-3 text-sm md:grid-cols-2 xl:grid-cols-3">
      {Object.entries(GLOSSARY).map(([id, { name, unit, meaning, formula, reading }]) => (
        <div key={id}>
          <dt className="font-medium">
            {name} <span className="font-normal text-ink-3">({unit})</span>
          </dt>
          <dd className="text-xs text-ink-2">
            {meaning} {formula}. {reading}
          </dd>
        </div>
      ))}
    </dl>
  );
}

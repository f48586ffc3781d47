import { Check } from 'lucide-react';

/** Available features. */
export function FeatureList({ now }: { now: readonly string[] }) {
  return (
    <ul className="mb-4 grid gap-2 text-sm">
      {now.map((text) => (
        <li key={text} className="flex gap-2">
          <Check className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}

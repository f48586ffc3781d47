import { Check, Clock } from 'lucide-react';

type Props = { now: readonly string[]; coming: readonly string[] };

/** What can be used today, then what is still being built. */
export function FeatureList({ now, coming }: Props) {
  return (
    <>
      {now.length > 0 && (
        <ul className="mb-4 grid gap-2 text-sm">
          {now.map((text) => (
            <li key={text} className="flex gap-2">
              <Check className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      )}
      {coming.length > 0 && (
        <>
          <p className="label mb-2">Being built</p>
          <ul className="grid gap-2 text-sm text-ink-2">
            {coming.map((text) => (
              <li key={text} className="flex gap-2">
                <Clock className="mt-0.5 size-4 shrink-0 text-ink-3" aria-hidden="true" />
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

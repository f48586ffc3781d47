import type { Draft } from './draft.ts';
import { isPrice } from './words.ts';

/** How many alerts there are, as the page stands. */
export function Summary({ drafts }: { drafts: readonly Draft[] | null }) {
  const counts: [name: string, count: number | undefined][] = [
    ['Total Alerts', drafts?.length],
    ['Active Alerts', drafts?.filter(({ enabled }) => enabled).length],
    ['Price Alerts', drafts?.filter(({ metric }) => isPrice(metric)).length],
  ];
  return (
    <dl aria-label="Alert Summary" className="mb-3 grid grid-cols-3 gap-3">
      {counts.map(([name, count]) => (
        <div key={name} className="card flex flex-col-reverse justify-end px-4 py-2.5">
          <dt className="label">{name}</dt>
          <dd className="num min-h-6 text-xl font-semibold tracking-[-0.02em]">{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { Reply } from '#web/api/client.ts';

import type { listErrors, Tally } from '../contract.ts';
import { grouped, SHOWN_TYPES, TYPE_WORDS, times } from './words.ts';

export type Counts = Reply<typeof listErrors>['counts'];

/** How many failures there are of each type, and how often they came. */
export function TypeTiles({ counts }: { counts: Counts | undefined }) {
  return (
    <dl aria-label="Errors by type" className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-4">
      {SHOWN_TYPES.map((type) => (
        <Tile key={type} name={TYPE_WORDS[type].many} tally={counts?.[type]} />
      ))}
    </dl>
  );
}

function Tile({ name, tally }: { name: string; tally: Tally | undefined }) {
  return (
    <div className="card px-4 py-3">
      <dt className="text-sm font-medium text-ink-2">{name}</dt>
      <dd className="num">
        <span className="text-2xl font-semibold tracking-[-0.025em]">{tally ? grouped(tally.errors) : '–'}</span>{' '}
        <span className="label">{tally && tally.times > 0 ? `seen ${times(tally.times)}` : ''}</span>
      </dd>
    </div>
  );
}

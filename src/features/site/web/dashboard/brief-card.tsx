import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Brief, type BriefLine, getBrief } from '#features/site/contract/brief.ts';
import { dateTime } from '#shared/format.ts';
import { call } from '#ui/api/client.ts';
import { Card } from '#ui/card.tsx';
import type { CardPlace } from '#ui/card-frame.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Figure } from '#ui/figure.tsx';
import { Fresh } from '#ui/fresh.tsx';
import { QueryView } from '#ui/query-view.tsx';

const FIGURES = '/app/figures/';
const REFETCH_MS = 60_000;
const STALE_MS = 10 * 60_000;

const briefQuery = queryOptions({
  queryKey: ['brief'],
  queryFn: ({ signal }) => call(getBrief, { query: {} }, signal),
  refetchInterval: REFETCH_MS,
});

const lineText = ({ title, clauses, missing }: BriefLine): string =>
  `${title}: ${missing ?? clauses.map(({ text }) => text).join('; ')}`;

/** The brief as plain text, with its time and origin. */
const plainText = ({ timestamp, dataMode, lines }: Brief): string =>
  [
    `Market brief, ${dateTime(Date.parse(timestamp))}${dataMode === 'demo' ? ' (demo data)' : ''}`,
    ...lines.map(lineText),
    `${location.origin}/app`,
  ].join('\n');

/** The market in five lines; each clause opens the provenance of its figure. */
export function BriefCard(card: CardPlace) {
  const query = useQuery(briefQuery);
  return (
    <QueryView query={query} card={card} failed="Failed to load the market brief">
      {(brief) => <Loaded card={card} brief={brief} />}
    </QueryView>
  );
}

function Loaded({ card, brief }: { card: CardPlace; brief: Brief }) {
  const composedAt = Date.parse(brief.timestamp);
  return (
    <Card
      {...card}
      note={<Fresh observedAt={composedAt} staleAfter={composedAt + STALE_MS} />}
      action={<CopyButton text={plainText(brief)} what="Market brief" label="Copy the market brief" />}
    >
      <dl className="px-4 pb-3">
        {brief.lines.map((line) => (
          <div key={line.topic} className="grid gap-x-4 border-t border-line py-2 sm:grid-cols-[7rem_1fr]">
            <dt className="label">{line.title}</dt>
            <dd className="num text-sm">
              <Clauses {...line} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** The figure key of a page. */
const figureKey = (href: string): string | undefined =>
  href.startsWith(FIGURES) ? href.slice(FIGURES.length) : undefined;

function Clauses({ title, clauses, missing }: BriefLine) {
  if (missing !== null) return <p className="text-ink-3">{missing}</p>;
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-0.5">
      {clauses.map(({ text, href, meta }) => (
        <li key={text} className="min-w-0">
          <Figure meta={meta} name={title} page={figureKey(href)} className="text-left">
            <span className="whitespace-normal">{text}</span>
          </Figure>
        </li>
      ))}
    </ul>
  );
}

import { type ReactNode, use } from 'react';

import { figurePath } from '#shared/figure-pages.ts';
import { type FigureMeta, type FigureOrigin, hasOrigin } from '#shared/figures.ts';
import { age, dateTime } from '#shared/format.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import { METHOD_WORDS } from '#shared/provenance.ts';

import { TEXT_LINK } from './form.tsx';
import { Link } from './link.tsx';
import { Meaning } from './meaning.tsx';
import { ClockContext, useNow } from './now.ts';
import { SourceNames } from './source-names.ts';

export type DetailsProps = {
  meta: FigureMeta;
  name: string;
  terms?: readonly (readonly [name: string, text: string])[] | undefined;
  /** Key of the figure's page, if it is not the metric. */
  page?: string | undefined;
  children: ReactNode;
};

const at = (iso: string): string => dateTime(Date.parse(iso));
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The birth certificate of a number, and its meaning. */
export function FigureDetails({ meta, name, terms, page = meta.metric, children }: DetailsProps) {
  const born = hasOrigin(meta);
  const term = GLOSSARY[meta.metric];
  const path = figurePath(page);
  // The page shows the current figure.
  const { fixed } = use(ClockContext);
  return (
    <div className="p-4">
      <p className="text-sm font-semibold">{name}</p>
      {born ? (
        <p className="num mt-0.5 text-xl font-semibold tracking-[-0.02em] [&_*]:text-[length:inherit]">{children}</p>
      ) : (
        <p className="mt-1 text-sm text-ink-2">{meta.reason}</p>
      )}
      {born && <Origin meta={meta} terms={terms} />}
      {term && (
        <div className="mt-2.5 grid gap-1 border-t border-line pt-2.5 text-xs text-ink-2">
          <Meaning of={term} />
        </div>
      )}
      {path !== undefined && !fixed && (
        <p className="mt-2.5 border-t border-line pt-2.5 text-xs">
          <Link to={path} className={TEXT_LINK}>
            Open as page
          </Link>
        </p>
      )}
    </div>
  );
}

function Origin({ meta, terms }: OriginProps) {
  const now = useNow();
  const stale = now > Date.parse(meta.staleAfter);
  return (
    <>
      {stale && <p className="mt-1 text-xs font-medium text-warn">Stale, {age(now - Date.parse(meta.observedAt))}</p>}
      <dl className="num mt-2.5 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 border-t border-line pt-2.5 text-xs">
        <OriginLines meta={meta} terms={terms} />
      </dl>
    </>
  );
}

type OriginProps = { meta: FigureOrigin } & Pick<DetailsProps, 'terms'>;

/** The origin of a number, as terms of a list. */
export function OriginLines({ meta, terms }: OriginProps) {
  const nameOf = use(SourceNames);
  const now = useNow();
  const { venues, historyDays, collectedHours } = meta;
  return (
    <>
      <Line name="Source">{venues?.length ? venues.map(nameOf).join(', ') : nameOf(meta.source)}</Line>
      <Line name="Method">{METHOD_WORDS[meta.method]}</Line>
      {meta.terms && <Line name="From">{meta.terms}</Line>}
      {terms?.map(([term, text]) => (
        <Line key={term} name={term}>
          {text}
        </Line>
      ))}
      {historyDays !== undefined && <Line name="Past">has {counted(historyDays, 'day')} of past</Line>}
      {collectedHours !== undefined && (
        <Line name="Collected">{counted(Math.round(collectedHours * 10) / 10, 'hour')} so far</Line>
      )}
      <Line name="Observed">
        {at(meta.observedAt)}, {age(now - Date.parse(meta.observedAt))}
      </Line>
      <Line name="Fetched">{at(meta.fetchedAt)}</Line>
      <Line name="Stale after">{at(meta.staleAfter)}</Line>
    </>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
